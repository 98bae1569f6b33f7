"""Errors and their texts, and captured output."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

Capture = pytest.CaptureFixture[str]


@contextmanager
def refused(error: type[Exception], text: str) -> Iterator[None]:
    """Assert that the block raises this error with this text."""
    with pytest.raises(error) as raised:
        yield
    assert str(raised.value) == text

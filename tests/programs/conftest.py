"""The positions that are shipped are read once for all tests of programs."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from unittest.mock import patch

import pytest

from sail.files import positions


@pytest.fixture(scope="session", autouse=True)
def texts_are_read_once() -> Iterator[None]:
    """STUDY.POS alone takes 50 milliseconds."""
    once = lru_cache(maxsize=9)(positions.parse)
    with patch.object(positions, "parse", lambda *names: [*once(*names)]):
        yield

"""The positions that are shipped are read once for all tests of programs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from unittest.mock import patch

import pytest

from sail.files import positions


@pytest.fixture(scope="session", autouse=True)
def texts_are_read_once() -> Iterator[None]:
    """STUDY.POS alone takes 50 milliseconds."""
    read = positions.read_all
    once = lru_cache(maxsize=9)(read)

    def read_all(
        text: str, name: str, check: Callable[..., None] | None = None
    ) -> list[positions.Entry]:
        return read(text, name, check) if check else [*once(text, name)]

    with patch.object(positions, "read_all", read_all):
        yield

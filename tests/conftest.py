"""The mark that ties a test to the place in a source that it shows."""

import os
import sys

import pytest

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers", "source(*places): the facts of the sources that the test shows"
    )

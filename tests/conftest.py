"""The mark that ties a test to the place in a source that it shows."""

import pytest


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers", "source(*places): the facts of the sources that the test shows"
    )

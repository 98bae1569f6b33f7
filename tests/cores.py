"""A second process for the tests, where there is a second core.

It is a fork of the first.  Each of the two takes the next file of tests when
it is done with one.  The second writes its reports to a file, and at the end
the first reports them as if they were its own.
"""

from __future__ import annotations

import json
import os
import signal
import tempfile
from itertools import groupby

import pytest

MANY = 500  # tests that are worth a second process


def pytest_runtestloop(session: pytest.Session) -> bool | None:
    """Run the tests in two processes if they are many; else leave it to pytest."""
    option = session.config.option
    alone = option.collectonly or option.maxfail or option.usepdb or option.accept
    if alone or session.testsfailed or len(session.items) < MANY:
        return None
    if not hasattr(os, "fork") or (os.cpu_count() or 1) < 2:
        return None
    files = [list(tests) for _, tests in groupby(session.items, lambda test: test.path)]
    reader, writer = os.pipe()  # the numbers of the files that nobody has taken
    os.write(writer, bytes(range(len(files))))
    os.close(writer)
    tests = (
        test
        for taken in iter(lambda: os.read(reader, 1), b"")
        for test in files[taken[0]]
    )
    second = Second(session.config)
    try:
        test = next(tests, None)
        while test:
            following = next(tests, None)
            session.config.hook.pytest_runtest_protocol(item=test, nextitem=following)
            second.go_on()
            test = following
    except BaseException:
        second.kill()
        raise
    second.end()
    return True


class Second:
    """The second process, as each of the two sees it."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._reports = tempfile.TemporaryFile("w+")  # noqa: SIM115 - open to the end
        self._first = os.getpid()
        self._number = os.fork()
        if not self._number:
            plugins = config.pluginmanager
            plugins.unregister(name="terminalreporter")
            plugins.register(self)
            capture = plugins.getplugin("capturemanager")
            capture.stop_global_capturing()  # the file for it is the first's too
            capture.start_global_capturing()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Write a report, in the second process."""
        data = self._config.hook.pytest_report_to_serializable(
            config=self._config, report=report
        )
        self._reports.write(json.dumps(data) + "\n")

    def go_on(self) -> None:
        """End the second process if the first has ended."""
        if not self._number and os.getppid() != self._first:
            self.kill()

    def end(self) -> None:
        """Wait for the end of the second process and pass its reports on."""
        if not self._number:
            self._reports.flush()
            os._exit(0)
        _, status = os.waitpid(self._number, 0)
        self._reports.seek(0)
        for line in self._reports:
            report = self._config.hook.pytest_report_from_serializable(
                config=self._config, data=json.loads(line)
            )
            self._config.hook.pytest_runtest_logreport(report=report)
        self._reports.close()
        if status:
            pytest.exit("the second process did not end in order", 1)

    def kill(self) -> None:
        """End the second process at once."""
        os.kill(self._number or os.getpid(), signal.SIGKILL)

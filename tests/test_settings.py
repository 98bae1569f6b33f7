"""The settings of a line, as words and back."""

from __future__ import annotations

import random

import pytest

from sail.settings import Settings, as_commands, changed


def as_words(settings: Settings) -> list[str]:
    """Return what follows TTY in the lines that it types."""
    return [line.removeprefix("TTY ") for line in as_commands(settings)]


@pytest.mark.parametrize(
    "typed, numbers, switches",
    [
        ("", "FILL 2 WIDTH 72 NO PACE", "ECHO NO FULL NO TABS LF NO BRIEF NO MOTOR"),
        ("no fill full tabs no lf", "NO FILL WIDTH 72", "ECHO FULL TABS NO LF"),
        ("pace 6.06 motor width 110", "WIDTH 110 PACE 6.06", "LF NO BRIEF MOTOR"),
        ("FILL 4 FILL ECHO NO ECHO", "FILL 2 WIDTH 72", "NO ECHO NO FULL"),
        ("FILL 20 WIDTH 255 PACE 9999", "FILL 20 WIDTH 255 PACE 9999", "ECHO"),
        ("FILL 1 WIDTH 44 PACE 1", "FILL 1 WIDTH 44 PACE 1", "ECHO"),
        ("PACE 10 BRIEF", "WIDTH 72 PACE 10", "LF BRIEF NO MOTOR"),
        ("PACE 10 NO PACE", "NO PACE", "NO MOTOR"),
        ("BELL", "FILL 2", "NO MOTOR BELL TAPE USOS"),
        ("NO USOS CTS", "FILL 2", "NO BELL TAPE NO USOS NO LOOP CTS"),
        ("LOOP ECHO", "FILL 2", "NO ECHO NO FULL"),
        ("NO TAPE PATIENCE 99", "NO PACE PATIENCE 99", "NO BELL NO TAPE"),
        ("NO PATIENCE", "NO PACE NO PATIENCE", "NO BELL"),
    ],
)
def test_words_change_settings(typed: str, numbers: str, switches: str) -> None:
    first, *others = as_words(changed(Settings(), typed))
    assert numbers in first and switches in " ".join(others)


def test_what_is_typed_is_what_can_be_typed() -> None:
    rng = random.Random(5)
    defaults = Settings()._asdict()
    switches = [name for name in defaults if isinstance(defaults[name], bool)]
    for _ in range(200):
        some = Settings(**{name: rng.random() < 0.5 for name in switches})._replace(
            fill=rng.randint(0, 20),
            width=rng.randint(44, 255),
            pace=rng.choice([0, 6.06, 10, 45.45, rng.randint(1, 9999)]),
            patience=rng.randint(0, 99),
        )
        some = some._replace(echo=some.echo and not some.loop)
        some = some._replace(cts=some.cts and not some.motor)
        others = changed(Settings(), "FILL 7 NO ECHO FULL WIDTH 99 NO LF PACE 3 MOTOR")
        assert changed(others, " ".join(as_words(some))) == some

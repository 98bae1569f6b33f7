"""pytest --accept: what it refuses to rewrite, and what a changed pin says."""

from __future__ import annotations

from pathlib import Path
from unittest.mock import Mock

import pytest

from tests import conftest, paper

WANTED = "START? {3}\nMOVE? {CO}\nCONCEDED.\nANOTHER? {N}\n"
THINNED = "START? {3}\nMOVE? {CO}\n12 STONES\nMOVE? {N}\nTYPE 1-6.\nMOVE? "


def test_a_transcript_with_fewer_answered_questions_is_not_accepted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A new command may have taken an abbreviation from an older one.

    Nor is one with an error of ours.
    """
    monkeypatch.setattr(paper, "accept", True)
    file = tmp_path / "ours-x.txt"
    file.write_text(WANTED, "utf-8")
    with pytest.raises(AssertionError, match="^ours-x.txt has fewer answers that fit"):
        paper.compare(file, lambda _: THINNED)
    for error in ("INTERNAL ERROR: X", "Traceback (most recent call last):"):
        printed = WANTED.replace("CONCEDED", error)
        with pytest.raises(AssertionError, match=f"an error of ours.*{error[:9]}"):
            paper.compare(file, Mock(return_value=printed))
    assert file.read_text("utf-8") == WANTED
    paper.compare(file, lambda _: WANTED.replace("CONCEDED", "YOU CONCEDED"))
    assert "YOU CONCEDED." in file.read_text("utf-8")


def test_a_pin_says_better_or_worse(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "pins").write_text('{"effort": 100}')
    monkeypatch.setattr(conftest, "PINNED", tmp_path / "pins")
    monkeypatch.setattr(paper, "accept", False)
    pinned = conftest.Pins()
    pinned("effort", 104, 0.05)
    for now, told in ((110, r"is WORSE: \+10.0%"), (94, "is better")):
        with pytest.raises(pytest.fail.Exception, match=f"effort {told}"):
            pinned("effort", now, 0.05)

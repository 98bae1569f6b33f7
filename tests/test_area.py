"""The area: what it lets in, and that it loses nothing."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from sail.area import Area, AreaError, BadName, FileMissing


@pytest.fixture
def area(tmp_path: Path) -> Area:
    return Area(str(tmp_path / "area"))


def test_what_is_written_is_read(area: Area) -> None:
    area.write("kalah.out", "ONE\n")
    area.change("KALAH.OUT", lambda text: f"{text}TWO\n")
    assert area.read("Kalah.Out") == "ONE\nTWO\n"
    assert area.names() == ["KALAH.OUT"] and area.has("KALAH.OUT")
    area.write_bytes("DATA.BIN", b"\0\xff")
    assert area.read_bytes("DATA.BIN") == b"\0\xff"
    area.remove("KALAH.OUT")
    area.remove("KALAH.OUT")
    assert area.names() == ["DATA.BIN"]


@pytest.mark.parametrize(
    "name",
    [
        "",
        ".",
        "..",
        "../X",
        "A/B",
        "/ETC/P",
        "TOOLONGX",
        "A.LONG",
        "A.",
        ".A",
        "A B",
        "A\n",
        "Å",
        "A.B.C",
        "A\0",
    ],
)
def test_bad_names(area: Area, name: str) -> None:
    for deed in (area.read, area.has, area.remove, lambda n: area.write(n, "")):
        with pytest.raises(BadName) as error:
            deed(name)
        assert str(error.value).endswith(" IS NOT A FILE NAME.")
        assert "\n" not in str(error.value)


def test_links_and_other_files_are_not_seen(area: Area, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.write_text("SECRET")
    os.symlink(outside, os.path.join(area.folder, "LINK.POS"))
    os.mkdir(os.path.join(area.folder, "FOLDER"))
    for name in ("lower", "README.txt", "A.POS.123"):
        open(os.path.join(area.folder, name), "w").close()
    assert area.names() == []
    for name in ("LINK.POS", "FOLDER", "NONE.POS"):
        with pytest.raises(FileMissing):
            area.read(name)


def test_a_file_that_is_not_text(area: Area) -> None:
    area.write_bytes("X.POS", b"A\nB\n\xff\n")
    with pytest.raises(AreaError) as error:
        area.read("X.POS")
    assert str(error.value) == "X.POS LINE 3 IS NOT TEXT."


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(AreaError) as error:
        Area(str(tmp_path / "file" / "area"))
    assert str(error.value).startswith("Cannot make the area ")


def test_a_folder_that_has_gone(area: Area) -> None:
    os.rmdir(area.folder)
    assert area.names() == []
    with pytest.raises(AreaError):
        area.write("KALAH.OUT", "")


def test_a_file_is_put_aside_under_a_name_that_is_free(tmp_path: Path) -> None:
    area = Area(str(tmp_path))
    area.write("A.TAP", "OLD\n")
    area.write("A.001", "OLDER\n")
    assert area.put_aside("A.TAP", ["A.001", "A.002"], "NEW\n") == "A.002"
    texts = {name: area.read(name) for name in area.names()}
    assert texts == {"A.001": "OLDER\n", "A.002": "OLD\n", "A.TAP": "NEW\n"}
    with pytest.raises(AreaError, match="THE OLD A.TAP: NO NAME IS FREE"):
        area.put_aside("A.TAP", ["A.001", "A.002"], "")
    with pytest.raises(FileMissing):
        area.put_aside("B.TAP", ["B.001"], "")
    assert {name: area.read(name) for name in area.names()} == texts


@pytest.mark.parametrize("links", [True, False])
def test_what_cannot_be_put_aside_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, links: bool
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(28, "No space left on device")

    area = Area(str(tmp_path))
    area.write("A.TAP", "OLD\n")
    os.chmod(tmp_path / "A.TAP", 0o640)
    if not links:
        monkeypatch.setattr(os, "link", refuse)
    with monkeypatch.context() as full:
        full.setattr(os, "replace", refuse)
        with pytest.raises(AreaError, match="NO SPACE LEFT"):
            area.put_aside("A.TAP", ["A.001"], "NEW\n")
    assert sorted(os.listdir(tmp_path)) == ["A.TAP"]
    assert area.read("A.TAP") == "OLD\n"
    assert area.put_aside("A.TAP", ["A.001"], "NEW\n") == "A.001"
    assert area.read("A.001") == "OLD\n" and area.read("A.TAP") == "NEW\n"
    assert (tmp_path / "A.001").stat().st_mode & 0o777 == 0o640

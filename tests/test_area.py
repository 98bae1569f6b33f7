"""The area: what it lets in, and that it loses nothing."""

from __future__ import annotations

import os

import pytest

from sail.area import Area, AreaError, BadName, FileMissing


@pytest.fixture
def area(tmp_path):
    return Area(str(tmp_path / "area"))


def test_what_is_written_is_read(area):
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
def test_bad_names(area, name):
    for deed in (area.read, area.has, area.remove, lambda n: area.write(n, "")):
        with pytest.raises(BadName) as error:
            deed(name)
        assert str(error.value).endswith(" IS NOT A FILE NAME.")
        assert "\n" not in str(error.value)


def test_links_and_other_files_are_not_seen(area, tmp_path):
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


def test_a_file_that_is_not_text(area):
    area.write_bytes("X.POS", b"A\nB\n\xff\n")
    with pytest.raises(AreaError) as error:
        area.read("X.POS")
    assert str(error.value) == "X.POS LINE 3 IS NOT TEXT."


def test_a_folder_that_cannot_be_made(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(AreaError) as error:
        Area(str(tmp_path / "file" / "area"))
    assert str(error.value).startswith("Cannot make the area ")


def test_a_folder_that_has_gone(area):
    os.rmdir(area.folder)
    assert area.names() == []
    with pytest.raises(AreaError):
        area.write("KALAH.OUT", "")

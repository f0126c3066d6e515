"""What is kept comes back; a file that cannot be used stops nothing."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from nature_gym.kept import Kept

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=10,
)


@given(st.dictionaries(st.text(max_size=20), JSON, max_size=5))
def test_what_was_put_is_found_by_its_key(found: dict[str, object]) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        kept = Kept(Path(folder, "deep", "kept.db"), 1)
        kept.put(found)
        assert kept.get([*found, "\0 another"]) == found


def test_other_rules_find_nothing_of_it(tmp_path: Path) -> None:
    Kept(tmp_path / "kept.db", 1).put({"a": 1})
    assert Kept(tmp_path / "kept.db", 2).get(["a"]) == {}


def test_a_damaged_file_is_begun_anew(tmp_path: Path) -> None:
    path = tmp_path / "kept.db"
    path.write_bytes(b"no database" * 1000)
    kept = Kept(path, 1)
    assert kept.get(["a"]) == {}
    kept.put({"a": [1, 2]})
    assert kept.get(["a"]) == {"a": [1, 2]}


def test_a_place_that_cannot_be_written_stops_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    kept = Kept(tmp_path / "file" / "kept.db", 1)
    kept.put({"a": 1})
    assert kept.get(["a"]) == {}

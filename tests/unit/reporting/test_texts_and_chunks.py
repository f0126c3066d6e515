"""What is handed to pages and scripts can be nothing else there than text and data."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from nature_gym.reporting.chunks import parted, safe_json, script
from nature_gym.reporting.texts import plain, size

json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
)


@given(json_values)
def test_a_chunk_is_one_call_with_the_same_value_and_no_sign_that_html_or_javascript_takes_for_its_own(
    value: Any,
) -> None:
    told = script("papers/0", value).decode()
    assert told.startswith('report.take("papers/0",')
    assert told.endswith(");\n")
    inside = told.removeprefix('report.take("papers/0",').removesuffix(");\n")
    assert json.loads(inside) == value
    assert not set(inside) & set("<>&\u2028\u2029")


def test_what_ends_a_script_is_written_in_escapes() -> None:
    assert safe_json("</script><!--") == rb'"\u003c/script\u003e\u003c!--"'


@given(st.text(), st.integers(1, 300))
def test_text_is_bounded_and_has_only_signs_that_are_seen(text: str, longest: int) -> None:
    told = plain(text, longest)
    assert len(told) <= longest
    assert all(sign.isprintable() or sign in "\n\t" for sign in told)
    if text.isprintable() and len(text) <= longest:
        assert told == text


def test_escapes_turned_writing_and_half_signs_become_the_replacement_character() -> None:
    assert plain("\x1b]0;title\x07a\u202eb\ud800\x00") == "�]0;title�a�b��"
    assert plain(None) == ""
    assert plain("abcdef", 4) == "abc…"


@given(st.lists(st.integers(0, 50)), st.integers(1, 100), st.integers(1, 7))
def test_parts_have_all_items_in_order_and_keep_to_their_bounds(items: list[int], largest: int, most: int) -> None:
    parts = parted(items, lambda one: one, largest=largest, most=most)
    assert [one for part in parts for one in part] == items
    assert all(part and len(part) <= most for part in parts)
    assert all(sum(part) <= largest or len(part) == 1 for part in parts)


def test_sizes_are_for_people() -> None:
    assert [size(one) for one in (0, 999, 1_000, 2_500_000, 3e9)] == ["0 B", "999 B", "1.0 kB", "2.5 MB", "3.0 GB"]

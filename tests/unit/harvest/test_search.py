import pytest
from hypothesis import given
from hypothesis import strategies as st

from nature_gym.errors import UsageError
from nature_gym.harvest.search import Search

TEXT = "Deep-learning models of Crystals\nNeural networks are trained on class labels; we use machine learning."


@pytest.mark.parametrize(
    ("search", "found"),
    [
        ("", True),
        ("crystal", True),
        ("CRYSTALS", True),
        ("cry", False),
        ("crystal network", True),
        ("crystal protein", False),
        ("crystal AND protein", False),
        ("protein OR crystal", True),
        ("NOT protein", True),
        ("crystal NOT network", False),
        ('"machine learning"', True),
        ('"learning machine"', False),
        ('"machine learning" OR "deep learning"', True),
        ('"learning-based" OR "deep learning"', True),
        ('"neural network"', True),
        ("(protein OR crystal) AND (machine OR nothing)", True),
        ("(protein OR crystal) AND (nothing)", False),
        ("protein crystal OR machine", True),
        ("clas", False),
    ],
)
def test_a_search_finds_what_it_names(search: str, found: bool) -> None:
    assert Search(search)(TEXT) is found


@pytest.mark.parametrize(
    "search", ["(a", "a)", "OR", "a OR", "AND a", "NOT", "()", "(" * 400 + "a", "NOT " * 400 + "a"]
)
def test_a_search_that_makes_no_sense_is_refused(search: str) -> None:
    with pytest.raises(UsageError, match="cannot be read"):
        Search(search)


@given(st.text(alphabet='abs ()"ORANDT\n', max_size=40), st.text(max_size=60))
def test_any_text_is_searched_or_refused(search: str, text: str) -> None:
    try:
        found = Search(search)
    except UsageError:
        return
    assert found(text) in (True, False)

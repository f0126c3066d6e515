from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nature_gym.reading.addresses import clean, find_addresses, host_of, normal_form, trim


def urls(text: str) -> list[str]:
    return [one.url for one in find_addresses(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Data are at https://zenodo.org/records/12.", "https://zenodo.org/records/12"),
        ("(see https://example.org/a_(b)).", "https://example.org/a_(b)"),
        ("(https://example.org/x), and", "https://example.org/x"),
        ("“https://example.org/x”", "https://example.org/x"),
        ("<https://example.org/x>;", "https://example.org/x"),
        ("code at github.com/lab/logit.git.", "https://github.com/lab/logit"),
        ("www.globsnow.info/, the", "http://www.globsnow.info/"),
        ("doi:10.5281/zenodo.123", "https://doi.org/10.5281/zenodo.123"),
        ("DOI 10.6084/m9.figshare.5.v2.", "https://doi.org/10.6084/m9.figshare.5.v2"),
        ("https://dx.doi.org/10.5061/dryad.abc", "https://doi.org/10.5061/dryad.abc"),
        ("doi.org/10.5061/dryad.abc", "https://doi.org/10.5061/dryad.abc"),
        ("at https:// github.com/lab/code now", "https://github.com/lab/code"),
        ("at https://github.com/ lab/code.", "https://github.com/lab/code"),
        ("at https://github.com/lab/deep- learning now", "https://github.com/lab/deep-learning"),
        ("at https://doi.org/10.5281/ zenodo.12 and", "https://doi.org/10.5281/zenodo.12"),
        ("at https://example.org/data/\nset_2.zip and", "https://example.org/data/set_2.zip"),
        ("https://www.dropbox.com/s/x/a.zip?st=1&dl=0.", "https://www.dropbox.com/s/x/a.zip?st=1&dl=0"),
    ],
)
def test_an_address_is_what_was_meant(text: str, expected: str) -> None:
    assert urls(text) == [expected]


@pytest.mark.parametrize(
    "text",
    [
        "available at https://github.com/lab/ and elsewhere",
        "available at https://github.com/lab/code and elsewhere",
        "available at https://github.com/lab/code. The data",
        "available at https://github.com/lab/code/ The data",
    ],
)
def test_what_follows_an_address_is_no_part_of_it(text: str) -> None:
    (found,) = urls(text)
    assert "and" not in found
    assert "The" not in found


@pytest.mark.parametrize(
    "text", ["a score of 10.5/3", "see Fig. 2.com", "the e.g. case", "ratio 1:10", "x://", "name@github.com/x"]
)
def test_what_is_no_address_is_none(text: str) -> None:
    assert urls(text) == []


def test_git_is_a_suffix_and_not_letters() -> None:
    assert clean("https://github.com/lab/logit.git/") == "https://github.com/lab/logit"
    assert clean("https://github.com/lab/logit") == "https://github.com/lab/logit"
    assert clean("https://github.com/lab/digit.git") == "https://github.com/lab/digit"


def test_tracking_goes_and_what_matters_in_a_query_stays() -> None:
    assert clean("https://x.org/f?utm_source=a&dl=0") == "https://x.org/f?dl=0"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("https://zenodo.org/record/7", "https://doi.org/10.5281/zenodo.7"),
        ("http://www.example.org/a/", "https://example.org/a"),
        ("https://github.com/Lab/Code", "http://github.com/lab/code"),
        ("https://figshare.com/articles/dataset/x/77777/2", "https://doi.org/10.6084/m9.figshare.77777.v2"),
        (
            "https://www.ncbi.nlm.nih.gov/geo/query/acc.cgi?acc=GSE12",
            "http://ncbi.nlm.nih.gov/geo/query/acc.cgi?acc=gse12",
        ),
    ],
)
def test_addresses_of_the_same_have_one_normal_form(one: str, other: str) -> None:
    assert normal_form(one) == normal_form(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("https://zenodo.org/records/7", "https://zenodo.org/records/7/files/a.csv"),
        ("https://doi.org/10.6084/m9.figshare.77777.v1", "https://doi.org/10.6084/m9.figshare.77777.v2"),
        ("https://github.com/a/b", "https://github.com/a/b/tree/v1"),
    ],
)
def test_a_file_a_version_or_a_folder_is_not_the_record(one: str, other: str) -> None:
    assert normal_form(one) != normal_form(other)


@given(st.text(max_size=80))
def test_any_text_is_searched_without_harm(text: str) -> None:
    for found in find_addresses(f"https://x.org/{text}"):
        assert 0 <= found.start < found.end
        assert host_of(found.url) is not None


@given(st.from_regex(r"https://[a-z]{2,8}\.org(/[a-z0-9_~]{1,8}){1,3}", fullmatch=True), st.sampled_from(".,;:)!?"))
def test_punctuation_behind_an_address_goes(url: str, mark: str) -> None:
    assert urls(f"see {url}{mark} More") == [url]
    assert trim(url + mark) == url


@given(st.text(max_size=60))
def test_cleaning_twice_is_cleaning_once(text: str) -> None:
    once = clean(f"https://example.org/{text}")
    assert clean(once) == once

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nature_gym.reading.addresses import clean, doi_address, doi_in, find_addresses, host_of, normal_form, trim


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


SICI = "10.1002/(SICI)1097-0258(19980228)17:4<441::AID-SIM782>3.0.CO;2-N"
ADDRESS = "https://doi.org/10.1002/(SICI)1097-0258(19980228)17:4%3C441::AID-SIM782%3E3.0.CO;2-N"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"Med. 17, 441 (1998). {SICI}.", ADDRESS),
        (f"(https://doi.org/{SICI}), and", ADDRESS),
        (f"doi:{SICI.replace('2-N', '2-#')}", ADDRESS.replace("2-N", "2-%23")),
        ("10.1175/1520-0469(1963)020<0130:DNF>2.0.CO;2.", "https://doi.org/10.1175/1520-0469(1963)020%3C0130:DNF%3E2.0.CO;2"),
        ("10.1641/0006-3568(2001)051[0933:TEO]2.0.CO;2)", "https://doi.org/10.1641/0006-3568(2001)051[0933:TEO]2.0.CO;2"),
        ("10.1016/S0140-6736(05)67889-0 (2005).", "https://doi.org/10.1016/S0140-6736(05)67889-0"),
        ("<10.1000/abc>", "https://doi.org/10.1000/abc"),
        ("10.1000/x<i>y</i>", "https://doi.org/10.1000/x"),
    ],
)  # fmt: skip
def test_a_doi_with_brackets_of_all_kinds_is_whole(text: str, expected: str) -> None:
    assert urls(text) == [expected]
    assert clean(expected) == expected


@pytest.mark.parametrize(
    ("value", "doi"),
    [
        (f"https://doi.org/{SICI}", SICI.lower()),
        (ADDRESS, SICI.lower()),
        ("doi:10.1038/S41586-021-03819-2.", "10.1038/s41586-021-03819-2"),
        ("10.1016/0022-2836(76)90311-6", "10.1016/0022-2836(76)90311-6"),
        ("(10.1000/a)", "10.1000/a"),
        ("no DOI", None),
    ],
)
def test_a_doi_in_a_value_of_markup(value: str, doi: str | None) -> None:
    assert doi_in(value) == doi


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("10.5281/zenodo.1(2021).", "https://doi.org/10.5281/zenodo.1"),
        ("https://doi.org/10.5281/zenodo.123(2021)Smith, J.", "https://doi.org/10.5281/zenodo.123"),
        ("https://doi.org/10.5281/zenodo.123.The data", "https://doi.org/10.5281/zenodo.123"),
        ("10.6084/m9.figshare.c.12345.v2[12]", "https://doi.org/10.6084/m9.figshare.c.12345.v2"),
        ("10.1038/s41586-021-03819-2[12]", "https://doi.org/10.1038/s41586-021-03819-2"),
        ("doi:10.1038/nature123(2015).", "https://doi.org/10.1038/nature123"),
        ("https://github.com/lab/Code_Benefits.The code is", "https://github.com/lab/Code_Benefits"),
        ("https://x.org/sources.php#marbound.Source data are", "https://x.org/sources.php#marbound"),
        ("https://x.org/models/gpt-4-turbo.Atthetimethattheexperiments were", "https://x.org/models/gpt-4-turbo"),
        ("https://x.org.The data", "https://x.org"),
        ("http://https://github.com/lab/code", "https://github.com/lab/code"),
    ],
)
def test_what_is_glued_to_an_address_is_no_part_of_it(text: str, expected: str) -> None:
    assert urls(text) == [expected]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("10.1000/a;10.1000/b.", ["https://doi.org/10.1000/a", "https://doi.org/10.1000/b"]),
        ("https://x.org/a,https://y.org/b", ["https://x.org/a", "https://y.org/b"]),
        ("https://doi.org/10.1234/abc. 10.5281/zenodo.1", ["https://doi.org/10.1234/abc", "https://doi.org/10.5281/zenodo.1"]),
        ("https://web.archive.org/web/2020/https://x.org/a", ["https://web.archive.org/web/2020/https://x.org/a"]),
        ("https://x.org/login?next=https://x.org/a", ["https://x.org/login?next=https://x.org/a"]),
        ("https://x.org/The.Data/Foo.Bar.html", ["https://x.org/The.Data/Foo.Bar.html"]),
        ("10.1103/PhysRevB.50.17953", ["https://doi.org/10.1103/PhysRevB.50.17953"]),
    ],
)  # fmt: skip
def test_addresses_that_touch_are_two_and_those_that_hold_another_one(text: str, expected: list[str]) -> None:
    assert urls(text) == expected


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


@given(st.text(max_size=60))
def test_the_address_of_a_doi_is_one_that_can_be_asked_for(text: str) -> None:
    address = doi_address(f"10.1000/{text}")
    assert clean(address) == address
    assert not set(address) & set(' <>"#?{}|\\^`')

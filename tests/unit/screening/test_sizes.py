"""The size estimate: sources best first, packing, once for each file, confidence and tier."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nature_gym.screening.probes import Probe
from nature_gym.screening.sizes import GB, Part, SizeEstimate, estimate_size, stated_sizes, tier_of, unpacked_factor
from tests.unit.screening.papers import manuscript, probe, record

A, B, C, D, E = (f"https://files.example.org/{letter}.csv" for letter in "abcde")
ZENODO = "https://doi.org/10.5281/zenodo.123"


def header(url: str, size: int) -> Probe:
    return probe(url, size_bytes=size, size_source="content_length", media_type="text/csv")


def estimate(*probes: Probe, stated: tuple[Part, ...] = ()) -> SizeEstimate:
    return estimate_size([one.url for one in probes], {one.url: one for one in probes}, stated)


@pytest.mark.parametrize(
    ("name", "factor"),
    [
        ("a.gz", 3), ("a.tar.gz", 3), ("a.tgz", 3), ("a.zip", 3), ("a.zst", 3),
        ("a.bz2", 5), ("a.xz", 5), ("a.7z", 5), ("a.lz4", 2),
        ("a.csv", 1), ("a.tar", 1), ("gz", 1), ("A.ZIP?download=1", 3),
    ],
)  # fmt: skip
def test_packed_files_count_as_what_they_unpack_to(name: str, factor: int) -> None:
    assert unpacked_factor(name) == factor


@pytest.mark.parametrize(("size", "tier"), [(0, "S"), (GB - 1, "S"), (GB, "M"), (50 * GB, "M"), (50 * GB + 1, "L")])
def test_tiers(size: int, tier: str) -> None:
    assert tier_of(size) == tier


def test_headers_of_four_in_five_links_make_high_confidence() -> None:
    four = [header(url, 10) for url in (A, B, C, D)]
    assert estimate(*four, probe(E)).confidence == "high"
    assert estimate(*four[:3], probe(D), probe(E)).confidence == "medium"
    assert estimate(*four).size == 40


def test_links_without_a_size_count_against_the_share() -> None:
    unseen = [f"https://x{number}.example.org/" for number in range(9)]
    found = estimate_size([A, *unseen], {A: header(A, 5)})
    assert (found.confidence, found.links, found.by_header) == ("medium", 10, 1)


def test_the_length_of_a_page_is_no_size() -> None:
    page = probe(A, size_bytes=5_000, size_source="content_length", media_type="text/html; charset=utf-8")
    found = estimate(page)
    assert (found.size, found.confidence, found.tier) == (None, "indeterminate", None)


def test_hosts_lists_make_medium_confidence_and_each_file_is_unpacked() -> None:
    found = estimate(record(ZENODO, [("train.tar.gz", 10), ("test.csv", 4)]))
    assert (found.size, found.confidence) == (34, "medium")
    assert [str(part) for part in found.parts] == [
        "10 bytes of train.tar.gz times 3 for unpacking (api)",
        "4 bytes of test.csv (api)",
    ]


def test_19_gb_of_tar_gz_are_too_large() -> None:
    files = [("train.tar.gz", 6_166_728_131), ("valid.tar.gz", 6_357_216_983), ("test.tar.gz", 6_443_657_428)]
    assert estimate(record(ZENODO, files)).tier == "L"


def test_a_file_and_its_record_are_counted_once() -> None:
    whole = record(ZENODO, [("a.csv", 10), ("b.csv", 20)], holding="zenodo.org:123")
    file = record("https://zenodo.org/records/123/files/a.csv", [("a.csv", 10)], holding="zenodo.org:123")
    assert estimate(whole, file).size == 30
    assert estimate(file, whole).size == 30
    assert estimate(file).size == 10


def test_a_file_and_its_record_are_known_by_their_addresses_too() -> None:
    whole = record(ZENODO, [("a.csv", 10), ("b.csv", 20)])
    file = header("https://zenodo.org/records/123/files/a.csv", 10)
    assert estimate(whole, file).size == 30


def test_the_same_link_twice_is_one_link() -> None:
    other = "https://zenodo.org/record/123"
    found = estimate_size([ZENODO, other], {url: record(url, [("a.csv", 10)]) for url in (ZENODO, other)})
    assert (found.size, found.links) == (10, 1)


def test_a_link_that_is_closed_or_broken_tells_nothing() -> None:
    for status in ("requires_auth", "redirect_to_auth", "not_found", "error"):
        assert estimate(probe(A, status=status, size_bytes=9, size_source="content_length")).size is None


def stated(text: str, names: tuple[str, ...] = (), introduction: str = "") -> tuple[Part, ...]:
    return tuple(stated_sizes(manuscript(methods=text, Introduction=introduction), (), names))


def test_the_text_is_the_last_source() -> None:
    told = stated("The tracks of OpenSet take 1,500 GB.", ("OpenSet",))
    accession = probe("https://www.ncbi.nlm.nih.gov/geo/query/acc.cgi?acc=GSE1")
    found = estimate(accession, stated=told)
    assert (found.size, found.confidence, found.tier) == (1.5e12, "low", "L")
    assert found.parts[0].sentence is not None
    known = estimate(header(A, 10), stated=told)
    assert (known.size, known.confidence) == (10, "high")


def test_what_one_link_does_not_tell_the_text_may() -> None:
    told = stated("The tracks of OpenSet take 1,500 GB.", ("OpenSet",))
    found = estimate(record(ZENODO, [("a.csv", 10)]), probe(B), stated=told)
    assert (found.tier, found.confidence) == ("L", "low")


def test_sizes_of_others_data_and_of_machines_are_none_of_ours() -> None:
    assert stated("Training took 24 GB of memory.") == ()
    assert stated("x", introduction="An archive of 1,500 GB of trajectories has become public.") == ()
    assert stated("Libraries larger than 200 GB of spectra would not fit.") == ()
    assert stated("From a genome of 3 Mb we have 500k cells of data.") == ()


def test_parts_of_a_set_are_not_added_to_its_whole() -> None:
    parts = stated("OpenSet has 12 GB of images. The test part of OpenSet has 2 GB.", ("OpenSet",))
    assert [part.size for part in parts] == [12e9]


@given(
    st.lists(
        st.tuples(st.from_regex(r"[a-z]{1,8}\.(csv|gz|xz|lz4)", fullmatch=True), st.integers(0, 10**12)),
        unique_by=lambda one: one[0],
        min_size=1,
    )
)
def test_a_record_is_the_sum_of_its_unpacked_files(files: list[tuple[str, int]]) -> None:
    found = estimate(record(ZENODO, files))
    assert found.size == sum(size * unpacked_factor(name) for name, size in files)
    assert found.tier == tier_of(found.size or 0)


@pytest.mark.parametrize(
    ("sentence", "size"),
    [
        ("MixXRD is public on Figshare at https://doi.org/10.6084/m9.figshare.2211 (about 1.8 GB).", 1.8e9),
        ("The letters are at https://doi.org/10.5281/zenodo.5559990 (800 MB).", 8e8),
        ("The training set has 1,500 GB and is at https://gwosc.org.", 1.5e12),
        ("The test set takes 12 GB.", 12e9),
    ],
)
def test_a_size_beside_the_place_of_data_in_its_statement_is_theirs(sentence: str, size: float) -> None:
    paper = manuscript(data=sentence)
    statement = [one for one in paper.sentences if one.section == "Data availability"]
    assert [part.size for part in stated_sizes(paper, statement)] == [size]


def test_memory_beside_an_address_in_a_statement_is_no_size_of_data() -> None:
    paper = manuscript(data="Training at https://cloud.example.org needs a GPU with 24 GB of memory.")
    statement = [one for one in paper.sentences if one.section == "Data availability"]
    assert stated_sizes(paper, statement) == []

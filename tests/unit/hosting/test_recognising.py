"""What addresses mean at hosts of code and data, and what their interfaces' answers come to."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nature_gym import hosting
from nature_gym.hosting import Reference, clouds
from nature_gym.hosting.identity import asks_for_identity
from nature_gym.hosting.notices import said


@pytest.mark.parametrize(
    ("url", "name", "file", "version"),
    [
        ("https://github.com/Lab/logit.git", "github.com:lab/logit", None, None),
        ("https://github.com/lab/logit", "github.com:lab/logit", None, None),
        ("https://github.com/lab/tool/tree/v1.2", "github.com:lab/tool", None, "v1.2"),
        ("https://github.com/lab/tool/blob/main/data/a.csv", "github.com:lab/tool", "data/a.csv", "main"),
        ("https://raw.githubusercontent.com/lab/tool/main/a.csv", "github.com:lab/tool", "a.csv", "main"),
        ("https://gitlab.com/group/part/tool/-/tree/main", "gitlab.com:group/part/tool", None, "main"),
        ("https://gitlab.lab.edu/group/tool.git", "gitlab.lab.edu:group/tool", None, None),
        ("https://doi.org/10.5281/zenodo.123", "zenodo.org:123", None, None),
        ("https://zenodo.org/record/123", "zenodo.org:123", None, None),
        ("https://zenodo.org/records/123/files/a%20b.csv?download=1", "zenodo.org:123", "a b.csv", None),
        ("https://zenodo.org/doi/10.5281/zenodo.123", "zenodo.org:123", None, None),
        ("https://figshare.com/articles/dataset/A_title/1234567/2", "figshare.com:1234567", None, "2"),
        ("https://doi.org/10.6084/m9.figshare.1234567.v2", "figshare.com:1234567", None, "2"),
        ("https://doi.org/10.6084/m9.figshare.c.1234567", "figshare.com:c1234567", None, None),
        ("https://figshare.com/ndownloader/files/55", "figshare.com:file/55", None, None),
        ("https://huggingface.co/datasets/lab/set", "huggingface.co:datasets/lab/set", None, None),
        ("https://huggingface.co/datasets/squad", "huggingface.co:datasets/squad", None, None),
        ("https://huggingface.co/lab/net/resolve/main/w.bin", "huggingface.co:models/lab/net", "w.bin", "main"),
        ("https://doi.org/10.5061/dryad.abc12", "datadryad.org:10.5061/dryad.abc12", None, None),
        (
            "https://datadryad.org/stash/dataset/doi:10.5061/dryad.abc12",
            "datadryad.org:10.5061/dryad.abc12",
            None,
            None,
        ),
        ("https://osf.io/ab12c/", "osf.io:ab12c", None, None),
        ("https://doi.org/10.17605/OSF.IO/AB12C", "osf.io:ab12c", None, None),
        ("https://doi.org/10.7910/DVN/ABCDEF", "dataverse.harvard.edu:10.7910/dvn/abcdef", None, None),
        (
            "https://dataverse.nl/dataset.xhtml?persistentId=doi:10.34894/XYZ",
            "dataverse.nl:10.34894/xyz",
            None,
            None,
        ),
        ("https://data.mendeley.com/datasets/abcdefghij/2", "data.mendeley.com:abcdefghij", None, "2"),
        ("https://doi.org/10.17632/abcdefghij.2", "data.mendeley.com:abcdefghij", None, "2"),
    ],
)
def test_an_address_is_understood(url: str, name: str, file: str | None, version: str | None) -> None:
    found = hosting.recognise(url)
    assert found is not None
    assert (found.id, found.file, found.version) == (name, file, version)


@pytest.mark.parametrize(
    "url",
    [
        "https://github.com/lab",
        "https://github.com/features/actions",
        "https://zenodo.org/communities/lab",
        "https://huggingface.co/docs/hub",
        "https://osf.io/ab12c/?view_only=0123",
        "https://example.org/zenodo.org/records/1",
        "ftp://github.com/lab/tool",
    ],
)
def test_other_addresses_are_left_to_themselves(url: str) -> None:
    assert hosting.recognise(url) is None


_PIECES = st.sampled_from([
    "https://", "http://", "github.com/", "gitlab.com/", "zenodo.org/records/", "doi.org/10.5281/zenodo.", "osf.io/",
    "figshare.com/articles/", "huggingface.co/datasets/", "drive.google.com/file/d/", "dropbox.com/s/", "[", "]", "%",
    "?id=", "&dl=0", "/-/", "blob/", "..", "@", ":99999", "#", "\u202e", "12345",
])  # fmt: skip


@given(st.lists(_PIECES | st.text(max_size=5), max_size=12).map("".join))
def test_no_address_breaks_the_reading(url: str) -> None:
    hosting.recognise(url)
    clouds.share(url)
    asks_for_identity(url)
    said(url, b"<html></html>")


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("https://www.ncbi.nlm.nih.gov/projects/gap/cgi-bin/study.cgi?study_id=phs1", "dbGaP"),
        ("https://ega-archive.org/datasets/EGAD1", "the European Genome-phenome Archive"),
        ("https://www.ukbiobank.ac.uk/enable-your-research", "UK Biobank"),
        ("https://www.synapse.org/#!Synapse:syn1", "Synapse"),
        ("https://physionet.org/content/mimic-cxr/2.0.0/", "credentialed PhysioNet"),
        ("https://physionet.org/content/mimiciii/1.4/", "credentialed PhysioNet"),
        ("https://physionet.org/content/mimic-iv-demo/2.2/", None),
        ("https://physionet.org/content/mimic-iv-ecg/1.0/", None),
        ("https://physionet.org/content/ptb-xl/1.0.3/", None),
        ("https://adni.loni.usc.edu/", "ADNI"),
        ("https://notsynapse.org/", None),
    ],
)
def test_hosts_that_ask_for_an_identity(url: str, name: str | None) -> None:
    assert asks_for_identity(url) == name


class Told:
    """An interface with the answers it was told."""

    def __init__(self, **answers: Any) -> None:
        self.answers = answers
        self.asked: list[str] = []

    def json(self, url: str) -> tuple[int, Any]:
        self.asked.append(url)
        found = next((answer for part, answer in self.answers.items() if part in url), None)
        return (404, None) if found is None else found if isinstance(found, tuple) else (200, found)


FAMILIES = [
    ("github", "github.com", "a/b"), ("gitlab", "gitlab.com", "a/b"), ("zenodo", "zenodo.org", "1"),
    ("figshare", "figshare.com", "1"), ("figshare", "figshare.com", "c1"),
    ("huggingface", "huggingface.co", "datasets/a"),
    ("dryad", "datadryad.org", "10.5061/dryad.a"), ("osf", "osf.io", "ab12c"), ("dataverse", "dataverse.nl", "10.1/a"),
    ("mendeley", "data.mendeley.com", "abcdefghij"),
]  # fmt: skip


@pytest.mark.parametrize(("family", "site", "key"), FAMILIES)
@pytest.mark.parametrize("value", [None, [], {}, {"status": "ok", "data": []}, "text", 7, {"files": 3}])
def test_an_answer_of_another_shape_says_nothing(family: str, site: str, key: str, value: Any) -> None:
    holding = hosting.look(Reference(family, site, key), Told(**{"": (200, value)}))
    listed = isinstance(value, list) and family in ("mendeley", "figshare")  # there an empty list is an answer
    assert holding.state == ("empty" if listed and (family, key) != ("figshare", "1") else "unknown") or (
        family == "figshare" and isinstance(value, dict) and "files" in value
    )


@pytest.mark.parametrize(("family", "site", "key"), FAMILIES)
@pytest.mark.parametrize("status", [500, 503, 418])
def test_a_host_in_trouble_says_nothing(family: str, site: str, key: str, status: int) -> None:
    assert hosting.look(Reference(family, site, key), Told(**{"": (status, None)})).state == "unknown"


def test_osf_tells_projects_files_and_people_apart() -> None:
    entry = {
        "attributes": {"kind": "file", "size": 5, "materialized_path": "/a/b.csv"},
        "links": {"download": "https://osf.io/download/x/"},
    }
    project = Told(guids={"data": {"type": "nodes"}}, osfstorage={"data": [entry], "links": {"next": None}})
    holding = hosting.look(Reference("osf", "osf.io", "ab12c"), project)
    assert (holding.state, holding.size, holding.files[0].name) == ("open", 5, "a/b.csv")
    file = {"type": "files", "attributes": {"name": "b.csv", "size": 9}}
    assert hosting.look(Reference("osf", "osf.io", "ab12c"), Told(guids={"data": file})).size == 9


def test_dryad_and_dataverse_list_their_files() -> None:
    dryad = Told(
        **{
            "/files": {
                "_embedded": {"stash:files": [{"path": "a.csv", "size": 3, "digest": "00", "digestType": "md5"}]}
            },
            "datasets": {"identifier": "doi:x", "_links": {"stash:version": {"href": "/api/v2/versions/9"}}},
        }
    )
    holding = hosting.look(Reference("dryad", "datadryad.org", "10.5061/dryad.a"), dryad)
    assert (holding.size, holding.files[0].checksum) == (3, "md5:00")
    files = [{"label": "a.tab", "restricted": True, "dataFile": {"id": 4, "filesize": 8}}]
    dataverse = Told(**{"": {"data": {"latestVersion": {"files": files}}}})
    assert hosting.look(Reference("dataverse", "dataverse.nl", "10.1/a"), dataverse).state == "restricted"


def test_another_program_at_a_gitlab_address_is_no_missing_project() -> None:
    reference = Reference("gitlab", "git.lab.edu", "a/b")
    assert hosting.look(reference, Told(**{"": (404, {"message": "Not Found"})})).state == "unknown"
    assert hosting.look(reference, Told(**{"": (404, {"message": "404 Project Not Found"})})).state == "absent"


def test_every_family_names_the_host_that_is_asked() -> None:
    hosts = {family: hosting.interface(Reference(family, site, key)) for family, site, key in FAMILIES}
    assert hosts["github"] == "api.github.com"
    assert hosts["dataverse"] == "dataverse.nl"
    for family, site, key in FAMILIES:
        api = Told(**{"": (503, None)})
        hosting.look(Reference(family, site, key), api)
        assert all(f"//{hosts[family]}/" in url for url in api.asked), family

from __future__ import annotations

import hashlib
import re

import pytest

from tests.unit.demo.miniweb.conftest import Visitor
from tests.unit.demo.miniweb.small_world import CSV, TERABYTE

RECORD = "https://zenodo.org/api/records/7000009"
FILE = "https://zenodo.org/records/7000009/files/data%20set.csv?download=1"
HUGE = "https://zenodo.org/records/7000009/files/huge.tar?download=1"


def test_a_zenodo_record_tells_files_with_sizes_checksums_and_links(visit: Visitor) -> None:
    record = visit(RECORD).json()
    file = record["files"][0]
    assert (file["key"], file["size"]) == ("data set.csv", len(CSV))
    assert file["checksum"] == f"md5:{hashlib.md5(CSV).hexdigest()}"
    assert visit(file["links"]["self"]).content == CSV
    assert (record["conceptrecid"], record["conceptdoi"]) == ("7000000", "10.5281/zenodo.7000000")
    assert record["metadata"]["access_right"] == "open"
    assert record["files"][1]["size"] == TERABYTE


def test_a_concept_record_leads_to_the_newest_version_and_a_version_stays_itself(visit: Visitor) -> None:
    assert visit("https://zenodo.org/api/records/7000000").headers["location"] == RECORD
    assert visit("https://zenodo.org/records/7000000").headers["location"] == "https://zenodo.org/records/7000009"
    assert visit("https://zenodo.org/api/records/7000001").json()["metadata"]["version"] == "v1"
    assert visit("https://zenodo.org/api/records/7000001/versions/latest").headers["location"] == RECORD


def test_a_restricted_record_hides_its_files(visit: Visitor) -> None:
    record = visit("https://zenodo.org/api/records/7000020").json()
    assert (record["files"], record["metadata"]["access_right"]) == ([], "restricted")
    page = visit("https://zenodo.org/records/7000020").text
    assert "restricted" in page
    assert "data%20set.csv" not in page
    for address in ("records/7000020/files/data%20set.csv", "api/records/7000020/files/data%20set.csv/content"):
        assert visit(f"https://zenodo.org/{address}").status_code == 403


def test_a_withdrawn_record_leaves_a_tombstone(visit: Visitor) -> None:
    answer = visit("https://zenodo.org/api/records/7000030")
    assert answer.status_code == 410
    assert answer.json()["tombstone"]["note"]
    assert visit("https://zenodo.org/records/7000030/files/data%20set.csv").status_code == 410


def test_a_host_can_tell_a_checksum_that_is_wrong(visit: Visitor) -> None:
    assert visit("https://zenodo.org/api/records/7000040").json()["files"][0]["checksum"] == "md5:" + "0" * 32


@pytest.mark.parametrize("address", ["api/records/1", "records/1", "api/nothing", "records/7000009/files/none"])
def test_what_zenodo_has_not_is_a_404(visit: Visitor, address: str) -> None:
    assert visit(f"https://zenodo.org/{address}").status_code == 404


@pytest.mark.parametrize(
    ("header", "part", "told"),
    [
        ("bytes=0-9", CSV[:10], f"bytes 0-9/{len(CSV)}"),
        ("bytes=100-", CSV[100:], f"bytes 100-{len(CSV) - 1}/{len(CSV)}"),
        ("bytes=-7", CSV[-7:], f"bytes {len(CSV) - 7}-{len(CSV) - 1}/{len(CSV)}"),
        ("bytes=5-99999999", CSV[5:], f"bytes 5-{len(CSV) - 1}/{len(CSV)}"),
    ],
)
def test_a_part_of_a_file_can_be_asked_for(visit: Visitor, header: str, part: bytes, told: str) -> None:
    answer = visit(FILE, Range=header)
    assert (answer.status_code, answer.content, answer.headers["content-range"]) == (206, part, told)


def test_a_part_behind_the_end_is_refused_and_nonsense_ignored(visit: Visitor) -> None:
    assert visit(FILE, Range="bytes=99999999-").status_code == 416
    for header in ("bytes=9-5", "bytes=-", "lines=1-2", "bytes=1-2,4-5"):
        answer = visit(FILE, Range=header)
        assert (answer.status_code, answer.content) == (200, CSV)


def test_a_part_of_a_file_that_changed_is_the_whole_file(visit: Visitor) -> None:
    etag = visit(FILE).headers["etag"]
    assert visit(FILE, Range="bytes=0-3", If_Range=etag).status_code == 206
    assert visit(FILE, Range="bytes=0-3", If_Range='"before"').content == CSV


def test_a_file_too_large_to_make_has_its_length_and_any_part_of_it(visit: Visitor) -> None:
    head = visit(HUGE, method="HEAD")
    assert (head.headers["content-length"], head.content) == (str(TERABYTE), b"")
    assert visit(HUGE, Range="bytes=2-5").content == b"ad\0\0"
    last = visit(HUGE, Range=f"bytes={TERABYTE - 200_000}-")
    assert last.content == bytes(200_000)


def test_figshare_tells_its_files_and_leads_to_their_store(visit: Visitor) -> None:
    item = visit("https://api.figshare.com/v2/articles/2100001").json()
    (file,) = item["files"]
    assert (file["name"], file["size"], file["is_link_only"]) == ("made.npy", 6, False)
    assert file["computed_md5"] == hashlib.md5(b"\x93NUMPY").hexdigest()
    stored = visit(file["download_url"]).headers["location"]
    assert stored == visit(f"https://figshare.com/ndownloader/files/{file['id']}").headers["location"]
    assert visit(stored).content == b"\x93NUMPY"
    assert visit(item["url_public_html"]).status_code == 200
    assert visit("https://figshare.com/articles/dataset/_/2100001/1").status_code == 200


def test_figshare_hides_confidential_items_and_forgets_those_that_are_gone(visit: Visitor) -> None:
    hidden = visit("https://api.figshare.com/v2/articles/2100002").json()
    assert (hidden["files"], hidden["is_confidential"]) == ([], True)
    assert visit("https://ndownloader.figshare.com/files/210000201").status_code == 403
    gone = visit("https://api.figshare.com/v2/articles/2100003")
    assert (gone.status_code, gone.json()["code"]) == (404, "EntityNotFound")


def test_hugging_face_lists_files_and_keeps_large_ones_at_its_cdn(visit: Visitor) -> None:
    about = visit("https://huggingface.co/api/datasets/calder/tiny?blobs=true").json()
    readme, packed = about["siblings"]
    assert (readme["rfilename"], readme["size"], "lfs" in readme) == ("README.md", 4, False)
    assert packed["lfs"]["sha256"] == hashlib.sha256(b"PK").hexdigest()
    base = "https://huggingface.co/datasets/calder/tiny/resolve/main"
    assert visit(f"{base}/README.md").content == b"# T\n"
    led = visit(f"{base}/d.zip", method="HEAD")
    assert (led.status_code, led.headers["x-linked-size"]) == (302, "2")
    assert visit(led.headers["location"]).content == b"PK"
    assert re.fullmatch(
        r"version .*\noid sha256:\w{64}\nsize 2\n", visit(base.replace("resolve", "raw") + "/d.zip").text
    )


def test_hugging_face_without_blobs_tells_names_only(visit: Visitor) -> None:
    about = visit("https://huggingface.co/api/datasets/calder/tiny").json()
    assert about["siblings"] == [{"rfilename": "README.md"}, {"rfilename": "d.zip"}]


def test_hugging_face_asks_for_a_log_in_where_a_dataset_is_gated(visit: Visitor) -> None:
    assert visit("https://huggingface.co/api/datasets/calder/gated").json()["gated"] == "manual"
    answer = visit("https://huggingface.co/datasets/calder/gated/resolve/main/d.parquet")
    assert (answer.status_code, answer.headers["x-error-code"]) == (401, "GatedRepo")
    assert "Please log in" in answer.json()["error"]


def test_hugging_face_knows_models_apart_from_datasets(visit: Visitor) -> None:
    model = visit("https://huggingface.co/api/models/calder/net?blobs=true").json()
    assert model["siblings"][0]["size"] == 5 << 30
    assert visit("https://huggingface.co/calder/net/resolve/main/w.safetensors").status_code == 302
    missing = visit("https://huggingface.co/api/datasets/calder/net")
    assert (missing.status_code, missing.headers["x-error-code"]) == (404, "RepoNotFound")

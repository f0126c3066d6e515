from __future__ import annotations

import base64
import io
import tarfile
import zipfile

import pytest

from tests.unit.demo.miniweb.conftest import Visitor
from tests.unit.demo.miniweb.small_world import CSV, repository

API = "https://api.github.com/repos/Calder-Lab"


def test_a_repository_s_facts_have_the_names_of_the_api(visit: Visitor) -> None:
    about = visit(f"{API}/GraphNet").json()
    size = sum(map(len, repository("GraphNet").files.values()))
    assert about["size"] == -(-size // 1024)
    assert about["pushed_at"] == "2022-03-09T12:00:00Z"
    assert about["default_branch"] == "main"
    assert about["license"]["spdx_id"] == "MIT"
    assert about["full_name"] == "Calder-Lab/GraphNet"


def test_names_of_repositories_do_not_mind_case(visit: Visitor) -> None:
    assert visit(f"{API.lower()}/graphnet").json()["full_name"] == "Calder-Lab/GraphNet"


def test_the_whole_tree_is_listed_with_sizes(visit: Visitor) -> None:
    tree = visit(f"{API}/GraphNet/git/trees/main?recursive=1").json()
    assert tree["truncated"] is False
    sizes = {entry["path"]: entry.get("size") for entry in tree["tree"]}
    assert sizes == {path: len(body) for path, body in repository("GraphNet").files.items()} | {"data": None}
    top = visit(f"{API}/GraphNet/git/trees/HEAD").json()
    assert {entry["path"] for entry in top["tree"]} == {"LICENSE", "README.md", "data", "run.sh"}


def test_commits_come_newest_first_in_pages(visit: Visitor) -> None:
    commits = visit(f"{API}/GraphNet/commits").json()
    assert [one["commit"]["message"] for one in commits] == ["Tidy up", "Add data", "Begin"]
    second = visit(f"{API}/GraphNet/commits?per_page=1&page=2").json()
    assert [one["sha"] for one in second] == [commits[1]["sha"]]
    older = visit(f"{API}/GraphNet/commits?sha={commits[1]['sha']}").json()
    assert [one["commit"]["message"] for one in older] == ["Add data", "Begin"]
    assert visit(f"{API}/GraphNet/git/trees/{commits[2]['sha']}").json()["tree"][0]["path"] == "LICENSE"


def test_the_licence_is_told_with_its_text(visit: Visitor) -> None:
    told = visit(f"{API}/GraphNet/license").json()
    assert base64.b64decode(told["content"]) == b"MIT License\n"
    assert told["license"]["key"] == "mit"


@pytest.mark.parametrize("name", ["gone", "secret", "none"])
def test_what_visitors_cannot_see_is_a_404(visit: Visitor, name: str) -> None:
    assert visit(f"{API}/{name}").json()["message"] == "Not Found"
    for address in (
        f"https://github.com/Calder-Lab/{name}",
        f"https://github.com/Calder-Lab/{name}/archive/refs/heads/main.zip",
        f"https://codeload.github.com/Calder-Lab/{name}/zip/refs/heads/main",
        f"https://raw.githubusercontent.com/Calder-Lab/{name}/main/README.md",
    ):
        assert visit(address).status_code == 404


def test_an_empty_repository_is_there_and_has_nothing(visit: Visitor) -> None:
    assert visit(f"{API}/void").json()["size"] == 0
    assert visit(f"{API}/void/git/trees/main").status_code == 409
    assert visit(f"{API}/void/commits").status_code == 409
    assert "This repository is empty" in visit("https://github.com/Calder-Lab/void").text


def test_a_reference_that_is_not_there_is_a_404(visit: Visitor) -> None:
    for ref in ("nope", "--help", "main..HEAD"):
        assert visit(f"{API}/GraphNet/git/trees/{ref}").status_code == 404


@pytest.mark.parametrize("form", ["zip", "tar.gz"])
def test_archives_hold_the_tree_below_one_folder_and_are_the_same_every_time(visit: Visitor, form: str) -> None:
    led = visit(f"https://github.com/Calder-Lab/GraphNet/archive/refs/heads/main.{form}")
    assert led.status_code == 302
    packed = visit(led.headers["location"])
    stream = io.BytesIO(packed.content)
    if form == "zip":
        names = [name for name in zipfile.ZipFile(stream).namelist() if not name.endswith("/")]
    else:
        with tarfile.open(fileobj=stream) as packed_tree:
            names = [member.name for member in packed_tree if member.isfile()]
    assert {name.removeprefix("GraphNet-main/") for name in names} == set(repository("GraphNet").files)
    assert packed.headers["content-disposition"] == f"attachment; filename=GraphNet-main.{form}"


def test_single_files_are_served_as_they_are(visit: Visitor) -> None:
    answer = visit("https://raw.githubusercontent.com/Calder-Lab/GraphNet/main/data/a%20b.csv")
    assert (answer.content, answer.headers["content-type"]) == (CSV, "text/plain; charset=utf-8")
    led = visit("https://github.com/Calder-Lab/GraphNet/raw/main/README.md").headers["location"]
    assert visit(led).content == b"# Done\n"


def test_gitlab_lists_projects_trees_and_archives(visit: Visitor) -> None:
    project = "https://gitlab.com/api/v4/projects/Calder-Lab%2Flab-net"
    about = visit(project).json()
    assert about["path_with_namespace"] == "Calder-Lab/lab-net"
    assert visit(f"https://gitlab.com/api/v4/projects/{about['id']}").json() == about
    first = visit(f"{project}/repository/tree?recursive=true&per_page=3")
    assert (first.headers["x-next-page"], first.headers["x-total"]) == ("2", "6")
    rest = visit(f"{project}/repository/tree?recursive=true&per_page=3&page=2")
    assert rest.headers["x-next-page"] == ""
    files = {entry["path"] for entry in first.json() + rest.json() if entry["type"] == "blob"}
    assert files == set(repository("lab-net").files)
    packed = visit("https://gitlab.com/Calder-Lab/lab-net/-/archive/main/lab-net-main.zip").content
    assert "lab-net-main/README.md" in zipfile.ZipFile(io.BytesIO(packed)).namelist()
    assert visit("https://gitlab.com/Calder-Lab/none").headers["location"].endswith("/users/sign_in")

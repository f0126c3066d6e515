from __future__ import annotations

import datetime as dt

import pytest

from nature_gym.environment.resolution import Resolution, resolve
from nature_gym.errors import InfrastructureError, UsageError
from tests.unit.environment.conftest import BASE, Index


def pins(found: Resolution) -> list[str]:
    return [one.pin for one in found.packages]


def kinds(found: Resolution) -> list[tuple[str, str]]:
    return [(one.kind, one.subject) for one in found.findings]


def test_nothing_is_asked_for_what_the_base_has(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("UV_DEFAULT_INDEX", "http://127.0.0.1:9/simple")
    found = resolve({"a.py": "import numpy, os\nfrom sklearn.metrics import f1_score"}, BASE)
    assert found.sound
    assert not found.packages
    assert [(one.module, one.version) for one in found.imports] == [("numpy", "1.26.4"), ("sklearn", "1.6.1")]


def test_the_newest_that_fits_beside_the_base(index: Index) -> None:
    index.add("umap_learn", "0.5.3", "2022-03-01", ("numpy<2",))
    index.add("umap_learn", "0.6.0", "2025-03-01", ("numpy>=2",))
    found = resolve({"a.py": "import umap"}, BASE)
    assert pins(found) == ["umap-learn==0.5.3"]
    assert found.sound
    assert "a.py:1 imports umap" in found.packages[0].because


def test_as_of_a_date_is_by_upload_time_and_the_base_is_exempt(index: Index) -> None:
    for version, day in (("1.0", "2019-05-01"), ("1.1", "2021-06-30"), ("1.2", "2021-07-01")):
        index.add("lifelines", version, day, ("numpy",))
    source = {"a.py": "import lifelines"}
    assert pins(resolve(source, BASE, as_of=dt.date(2021, 6, 30))) == ["lifelines==1.1"]
    assert pins(resolve(source, BASE, as_of=dt.date(2020, 1, 1))) == ["lifelines==1.0"]
    assert pins(resolve(source, BASE)) == ["lifelines==1.2"]
    assert kinds(resolve(source, BASE, as_of=dt.date(2018, 1, 1))) == [("unobtainable", "lifelines")]


def test_wishes_of_the_authors_are_granted_where_they_can_be(index: Index) -> None:
    index.add("lifelines", "1.0", "2019-05-01")
    index.add("lifelines", "2.0", "2020-05-01")
    index.add("umap_learn", "0.5.3", "2022-03-01")
    source = {"a.py": "import lifelines, umap"}
    wishes = {"requirements.txt": "lifelines<2\numap-learn==0.1\nnumpy==1.19.5\nunused==3\n"}
    found = resolve(source, BASE, requirement_files=wishes)
    assert pins(found) == ["lifelines==1.0", "umap-learn==0.5.3"]
    assert found.sound
    assert sorted(kinds(found)) == [("wish", "numpy"), ("wish", "umap-learn")]
    assert "requirements.txt asks for <2" in found.packages[0].because


def test_pins_hold_or_are_conflicts(index: Index) -> None:
    index.add("lifelines", "1.0", "2019-05-01")
    index.add("lifelines", "2.0", "2020-05-01")
    source = {"a.py": "import lifelines"}
    assert pins(resolve(source, BASE, pins=["lifelines==1.0", "numpy==1.26.4"])) == ["lifelines==1.0"]
    against = resolve(source, BASE, pins=["numpy==2.1.0"])
    assert not against.sound
    assert kinds(against) == [("conflict", "numpy")]
    absent = resolve(source, BASE, pins=["lifelines==9"])
    assert kinds(absent) == [("conflict", "lifelines")]
    with pytest.raises(UsageError):
        resolve(source, BASE, pins=["--index-url http://elsewhere"])


def test_one_that_is_nowhere_keeps_none_of_the_others_out(index: Index) -> None:
    index.add("lifelines", "1.0", "2019-05-01", ("autograd",))
    index.add("autograd", "1.3", "2019-04-01")
    index.add_source("gala", "1.0", "2019-04-01")
    found = resolve({"a.py": "import lifelines\nimport nowhere_at_all\nimport gala"}, BASE)
    assert pins(found) == ["autograd==1.3", "gala==1.0", "lifelines==1.0"]
    assert found.packages[0].because == "needed by lifelines"
    assert sorted(kinds(found)) == [("source", "gala"), ("unobtainable", "nowhere-at-all")]
    assert {one.module for one in found.imports if one.origin == "missing"} == {"nowhere_at_all"}


def test_what_comes_as_source_only_is_chosen_and_told_and_nothing_of_it_is_fetched(index: Index) -> None:
    for version, day in (("1.0", "2019-04-01"), ("1.4", "2021-04-01"), ("2.0", "2023-04-01")):
        index.add_source("gala", version, day)
    source = {"a.py": "import gala"}
    found = resolve(source, BASE)
    (package,) = found.packages
    assert (package.pin, package.from_source) == ("gala==2.0", True)
    assert found.sound
    assert "built from source" in found.findings[0].message
    assert pins(resolve(source, BASE, pins=["gala==1.0"])) == ["gala==1.0"]
    assert pins(resolve(source, BASE, as_of=dt.date(2021, 6, 1))) == ["gala==1.4"]
    assert pins(resolve(source, BASE, requirement_files={"requirements.txt": "gala<2"})) == ["gala==1.4"]
    assert kinds(resolve(source, BASE, pins=["gala==9"])) == [("conflict", "gala")]
    assert not index.fetched


def test_a_wheel_is_taken_before_a_newer_source(index: Index) -> None:
    index.add("lifelines", "1.0", "2019-05-01")
    index.add_source("lifelines", "2.0", "2020-05-01")
    (package,) = resolve({"a.py": "import lifelines"}, BASE).packages
    assert (package.pin, package.from_source) == ("lifelines==1.0", False)


def test_what_the_chosen_versions_have_no_more_is_told(index: Index) -> None:
    found = resolve({"a.py": "import numpy as np\nx = np.float(3)\n"}, BASE)
    assert not found.sound
    assert kinds(found) == [("removed", "a.py:2")]


def test_an_index_that_does_not_answer_is_no_missing_package(index: Index, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("UV_DEFAULT_INDEX", "http://127.0.0.1:9/simple")
    monkeypatch.setenv("UV_HTTP_RETRIES", "0")
    with pytest.raises(InfrastructureError):
        resolve({"a.py": "import lifelines"}, BASE)

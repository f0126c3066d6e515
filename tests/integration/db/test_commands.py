import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from db import migrations
from db.engine import make_engine
from db.migrations import HEAD, current_revision, upgrade
from nature_gym.cli.database import app
from nature_gym.errors import InfrastructureError, UsageError
from tests.integration.db.corpus import A, Corpus, all_rows


@pytest.fixture(autouse=True)
def _database(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NATUREGYM_DATABASE_URL", address)


def naturegym_db(*arguments: str) -> str:
    """What ``naturegym db ...`` prints on standard output; raises what it raises."""
    result = CliRunner().invoke(app, arguments, catch_exceptions=False)
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code == 0
    return result.stdout


def test_upgrade_says_from_where_to_where(address: str) -> None:
    assert f"made, at revision {HEAD}" in naturegym_db("upgrade")
    assert f"already at revision {HEAD}" in naturegym_db("upgrade")


def test_upgrade_of_an_older_database(address: str) -> None:
    engine = make_engine(address)
    upgrade(engine, "0001")
    told = json.loads(naturegym_db("upgrade", "--json"))
    assert (told["from"], told["to"], told["changed"]) == ("0001", HEAD, True)
    assert current_revision(engine) == HEAD
    engine.dispose()


def test_upgrade_refuses_what_a_newer_program_made(monkeypatch: pytest.MonkeyPatch) -> None:
    naturegym_db("upgrade")
    monkeypatch.setattr(migrations, "REVISIONS", ("0001",))
    with pytest.raises(InfrastructureError, match="newer version"):
        naturegym_db("upgrade")


def test_rebuild_makes_tables_and_rows_from_the_folders(address: str, naturegym_home: Path) -> None:
    corpus = Corpus(naturegym_home)
    corpus.publish(A, "read")
    corpus.publish("10.5555_b", "read")
    corpus.break_record("10.5555_b", "read")
    corpus.run("one")
    told = json.loads(naturegym_db("rebuild", "--json"))
    assert {name: told[name] for name in ("papers", "stages", "runs", "unreadable")} == {
        "papers": 2, "stages": 2, "runs": 1, "unreadable": 1,
    }  # fmt: skip
    engine = make_engine(address)
    assert [row["paper_id"] for row in all_rows(engine)["paper_stage"]] == [A, "10.5555_b"]
    engine.dispose()
    said = " ".join(naturegym_db("rebuild").split())
    assert "2 papers, 2 stages and 1 runs" in said
    assert "1 papers have a record that cannot be read" in said


def test_path_is_what_other_programs_open(address: str, naturegym_home: Path) -> None:
    naturegym_db("upgrade")
    told = json.loads(naturegym_db("path", "--json"))
    said = naturegym_db("path").strip()
    if address.startswith("sqlite"):
        assert said == told["file"] == address.removeprefix("sqlite:///")
        assert told["exists"] is True
    else:
        assert said == told["address"] == address
        assert told["file"] is None


def test_path_makes_nothing_and_shows_no_password(naturegym_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NATUREGYM_DATABASE_URL", "")
    assert naturegym_db("path").strip() == str(naturegym_home / "naturegym.db")
    assert not naturegym_home.exists()
    monkeypatch.setenv("NATUREGYM_DATABASE_URL", "postgresql://me:s3cr3t@host/corpus")
    assert naturegym_db("path").strip() == "postgresql+psycopg://me:***@host/corpus"
    monkeypatch.setenv("NATUREGYM_DATABASE_URL", "mysql://me:s3cr3t@host/corpus")
    with pytest.raises(UsageError) as caught:
        naturegym_db("path")
    assert "s3cr3t" not in caught.value.message


@pytest.mark.parametrize("command", ["upgrade", "rebuild", "path"])
def test_help_has_an_example(command: str) -> None:
    assert f"naturegym db {command}" in naturegym_db(command, "--help")

from functools import partial
from multiprocessing import get_context
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Engine, MetaData, inspect, text

from db import migrations
from db.engine import make_engine, open_database
from db.migrations import HEAD, REVISIONS, VERSION_TABLE, alembic_config, current_revision, require_current, upgrade
from db.tables import Table
from db.transactions import writing
from nature_gym.errors import InfrastructureError

_PAPER = {"id": "10.5555_a", "mark": "m", "doi": "10.5555/a", "duplicate": False, "retracted": False, "year": 2024}
_STAGE = {
    "paper_id": "10.5555_a", "stage": "read", "publication": ".read.1", "status": "done", "verdict": "done",
    "reason": "", "facts": {"tables": 3},
}  # fmt: skip
ROWS: dict[str, dict[str, list[dict[str, Any]]]] = {
    "0001": {"paper": [_PAPER], "paper_stage": [_STAGE, _STAGE | {"stage": "screen", "status": "failed"}]},
    "0002": {
        "paper": [_PAPER],
        "paper_stage": [
            _STAGE,
            {"paper_id": "10.5555_a", "stage": "fetch", "status": "error", "error": "OSError", "facts": {}},
        ],
        "run": [{"id": "r", "mark": "m", "kind": "harvest", "state": "completed", "counts": {"done": 1}}],
    },
    "0003": {
        "trial": [{"id": "t", "token": "d", "opened": 1.0, "budget": 60.0, "pause_share": 0.5}],
        "attempt": [
            {
                "trial_id": "t",
                "number": 1,
                "begun": 2.0,
                "ended": 3.0,
                "paused": 1.0,
                "status": "scored",
                "gap": 0.5,
                "result": {"aggregate_improvement": 0.5},
            },
            {"trial_id": "t", "number": 2, "begun": 4.0, "paused": 0.0, "status": "scoring", "result": {}},
        ],
    },
    "0004": {
        "check_run": [
            {
                "id": "p.1/r.json",
                "package": "p",
                "path": "/p",
                "digest": "sha256:a",
                "rules": "r",
                "passed": 35,
                "failed": 1,
                "warned": 0,
                "skipped": 0,
                "failing": ["C1.1"],
            },
        ],
    },
}
"""Rows that a database of each revision may hold."""


def put(engine: Engine, rows: dict[str, list[dict[str, Any]]]) -> None:
    tables = reflected(engine)
    with engine.begin() as connection:
        for name, content in rows.items():
            for row in content:
                connection.execute(tables.tables[name].insert(), row)


def reflected(engine: Engine) -> MetaData:
    tables = MetaData()
    tables.reflect(engine)
    return tables


def kept(engine: Engine, rows: dict[str, list[dict[str, Any]]]) -> dict[str, list[dict[str, Any]]]:
    """The columns of ``rows``, as the database has them now."""
    tables = reflected(engine).tables
    found: dict[str, list[dict[str, Any]]] = {}
    with engine.connect() as connection:
        for name, content in rows.items():
            keys = [column.name for column in tables[name].primary_key]
            there = {
                tuple(row[key] for key in keys): row for row in connection.execute(tables[name].select()).mappings()
            }
            assert len(there) == len(content)
            found[name] = [
                {column: there[tuple(row[key] for key in keys)][column] for column in row} for row in content
            ]
    return found


def differences(engine: Engine) -> list[Any]:
    with engine.connect() as connection:
        context = MigrationContext.configure(
            connection, opts={"version_table": VERSION_TABLE, "compare_type": True, "compare_server_default": True}
        )
        return list(compare_metadata(context, Table.metadata))


def checks(engine: Engine) -> dict[str, set[tuple[str, str]]]:
    """Check constraints and what foreign keys do at a removal, which Alembic does not compare."""
    look = inspect(engine)
    return {
        table: {(str(check["name"]), " ".join(check["sqltext"].split())) for check in look.get_check_constraints(table)}
        | {(str(key["name"]), str(key["options"])) for key in look.get_foreign_keys(table)}
        for table in Table.metadata.tables
    }


def test_the_revisions_named_are_the_revisions_there_are() -> None:
    scripts = ScriptDirectory.from_config(alembic_config())
    assert tuple(script.revision for script in reversed(list(scripts.walk_revisions()))) == REVISIONS
    assert scripts.get_current_head() == HEAD
    assert tuple(ROWS) == REVISIONS, "each revision has its rows above, to go up with"


@pytest.mark.parametrize("revision", REVISIONS)
def test_from_each_revision_the_way_up_keeps_the_rows_and_ends_at_the_models(empty: Engine, revision: str) -> None:
    upgrade(empty, revision)
    assert current_revision(empty) == revision
    put(empty, ROWS[revision])
    assert upgrade(empty) == (revision, HEAD)
    assert kept(empty, ROWS[revision]) == ROWS[revision]
    assert differences(empty) == []
    assert upgrade(empty) == (HEAD, HEAD)


def test_the_tables_made_from_nothing_are_the_models(address: str, empty: Engine) -> None:
    assert current_revision(empty) is None
    assert upgrade(empty) == (None, HEAD)
    assert differences(empty) == []
    made = checks(empty)
    with empty.begin() as connection:
        for table in Table.metadata.tables:
            connection.execute(text(f"DROP TABLE {table} {'CASCADE' if 'postgresql' in address else ''}"))
    Table.metadata.create_all(empty)
    assert checks(empty) == made
    assert any(made.values())


def test_an_upgrade_that_fails_halfway_leaves_everything_as_it_was(
    empty: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    upgrade(empty, "0001")
    put(empty, ROWS["0001"])
    before = {name: sorted(table.columns.keys()) for name, table in reflected(empty).tables.items()}

    def fail(_: object) -> None:
        raise InfrastructureError("no")

    monkeypatch.setattr(migrations, "_check_foreign_keys", fail)
    with pytest.raises(InfrastructureError, match="no"):
        upgrade(empty)
    assert current_revision(empty) == "0001"
    assert {name: sorted(table.columns.keys()) for name, table in reflected(empty).tables.items()} == before
    assert kept(empty, ROWS["0001"]) == ROWS["0001"]


def test_an_empty_database_gets_its_tables_when_it_is_opened(empty: Engine) -> None:
    require_current(empty)
    assert current_revision(empty) == HEAD


def test_an_older_database_asks_for_its_upgrade(address: str, empty: Engine) -> None:
    upgrade(empty, "0001")
    with pytest.raises(InfrastructureError, match=f"0001.*needs {HEAD}") as caught:
        open_database(address)
    assert "naturegym db upgrade" in caught.value.hint


@pytest.mark.parametrize("act", [require_current, upgrade])
def test_a_newer_database_is_refused_and_left_alone(empty: Engine, act: Any) -> None:
    upgrade(empty)
    with writing(empty) as connection:
        connection.execute(text(f"UPDATE {VERSION_TABLE} SET version_num = '9999'"))
    with pytest.raises(InfrastructureError, match="newer version") as caught:
        act(empty)
    assert "Update NatureGym" in caught.value.hint
    assert current_revision(empty) == "9999"


def test_another_program_in_the_same_database_is_not_taken_for_ours(empty: Engine) -> None:
    with empty.begin() as connection:
        connection.execute(text("CREATE TABLE alembic_version (version_num VARCHAR(32))"))
        connection.execute(text("INSERT INTO alembic_version VALUES ('abc')"))
    assert upgrade(empty) == (None, HEAD)


def _open(address: str) -> str:
    engine = open_database(address)
    revision = current_revision(engine)
    engine.dispose()
    return str(revision)


def test_processes_that_open_a_new_database_at_the_same_time_all_find_it_whole(address: str) -> None:
    with get_context("fork").Pool(4) as pool:
        waiting = [pool.apply_async(partial(_open, address)) for _ in range(8)]
        assert [result.get(60) for result in waiting] == [HEAD] * 8
    engine = make_engine(address)
    assert differences(engine) == []
    engine.dispose()

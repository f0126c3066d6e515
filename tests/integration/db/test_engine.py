import importlib.util
import sqlite3
import threading
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, text
from sqlalchemy.exc import IntegrityError

from db import engine as engines
from db import transactions
from db.engine import make_engine, open_database
from db.transactions import reading, writing
from nature_gym.errors import InfrastructureError, UsageError

PAPER = "INSERT INTO paper (id, mark, doi, duplicate, retracted) VALUES (:id, 'm', :doi, :duplicate, :no)"


def add_paper(engine: Engine, name: str, doi: str | None = None, *, duplicate: bool = False) -> None:
    with engine.begin() as connection:
        connection.execute(text(PAPER), {"id": name, "doi": doi, "duplicate": duplicate, "no": False})


def add_stage(engine: Engine, **values: Any) -> None:
    row = {"paper_id": "a", "stage": "read", "publication": ".read.1", "status": "done", "error": None, **values}
    with engine.begin() as connection:
        connection.execute(
            text(
                "INSERT INTO paper_stage (paper_id, stage, publication, status, error, facts) "
                "VALUES (:paper_id, :stage, :publication, :status, :error, '{}')"
            ),
            row,
        )


def count(engine: Engine, table: str = "paper") -> int:
    with engine.connect() as connection:
        return int(connection.execute(text(f"SELECT count(*) FROM {table}")).scalar_one())


def test_a_stage_needs_its_paper_and_goes_with_it(engine: Engine) -> None:
    with pytest.raises(IntegrityError):
        add_stage(engine)
    add_paper(engine, "a")
    add_stage(engine)
    with engine.begin() as connection:
        connection.execute(text("DELETE FROM paper"))
    assert count(engine, "paper_stage") == 0


@pytest.mark.parametrize(
    "values",
    [
        {"status": "passed"},
        {"status": "error"},
        {"status": "done", "error": "OSError"},
        {"status": "done", "publication": None},
    ],
)
def test_a_stage_that_makes_no_sense_is_refused(engine: Engine, values: dict[str, Any]) -> None:
    add_paper(engine, "a")
    with pytest.raises(IntegrityError):
        add_stage(engine, **values)


def test_a_doi_leads_to_one_paper_that_is_no_duplicate(engine: Engine) -> None:
    add_paper(engine, "a", "10.5555/a")
    add_paper(engine, "b", "10.5555/a", duplicate=True)
    with pytest.raises(IntegrityError):
        add_paper(engine, "c", "10.5555/a")


def test_a_block_that_raises_leaves_nothing_written(engine: Engine) -> None:
    def write_and_fail() -> None:
        with writing(engine) as connection:
            connection.execute(text(PAPER), {"id": "a", "doi": None, "duplicate": False, "no": False})
            raise RuntimeError

    with pytest.raises(RuntimeError):
        write_and_fail()
    assert count(engine) == 0


def test_one_writes_at_a_time_and_the_next_sees_what_the_one_before_wrote(engine: Engine) -> None:
    def increment() -> None:
        for _ in range(10):
            with writing(engine) as connection:
                year = connection.execute(text("SELECT year FROM paper")).scalar_one()
                connection.execute(text("UPDATE paper SET year = :year"), {"year": year + 1})

    add_paper(engine, "a")
    with engine.begin() as connection:
        connection.execute(text("UPDATE paper SET year = 0"))
    threads = [threading.Thread(target=increment) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with reading(engine) as session:
        assert session.connection().execute(text("SELECT year FROM paper")).scalar_one() == 40


def test_a_writer_that_waits_too_long_says_so(engine: Engine, address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engines, "WAIT_SECONDS", 0.1)
    monkeypatch.setattr(transactions, "WAIT_SECONDS", 0.1)
    hasty = make_engine(address)
    with writing(engine), pytest.raises(InfrastructureError) as caught, writing(hasty):
        pass
    hasty.dispose()
    assert "lock" in caught.value.message
    assert "another process" in caught.value.hint.lower()


def test_a_reader_sees_one_state_and_does_not_wait_for_the_writer(engine: Engine) -> None:
    query = text("SELECT count(*) FROM paper")
    with reading(engine) as session:
        assert session.connection().execute(query).scalar_one() == 0
        with writing(engine) as connection:
            connection.execute(text(PAPER), {"id": "a", "doi": None, "duplicate": False, "no": False})
        assert session.connection().execute(query).scalar_one() == 0
    assert count(engine) == 1


def test_sqlite_is_set_up_on_every_connection(tmp_path: Path) -> None:
    engine = make_engine(f"sqlite:///{tmp_path / 'new' / 'folder' / 'n.db'}")
    with engine.connect() as one, engine.connect() as two:
        for connection in (one, two):
            asked = {
                name: connection.exec_driver_sql(f"PRAGMA {name}").scalar()
                for name in ("journal_mode", "foreign_keys", "synchronous", "busy_timeout")
            }
            assert asked == {"journal_mode": "wal", "foreign_keys": 1, "synchronous": 1, "busy_timeout": 60_000}
    engine.dispose()


def test_foreign_keys_keep_silent_while_tables_change_and_speak_again_afterwards(tmp_path: Path) -> None:
    """SQLite changes a table by making a new one and dropping the old; its rows' dependents would go with them."""
    engine = open_database(f"sqlite:///{tmp_path / 'n.db'}")
    add_paper(engine, "a")
    add_stage(engine)
    with writing(engine, foreign_keys=False) as connection:
        connection.exec_driver_sql("CREATE TABLE copy AS SELECT * FROM paper")
        connection.exec_driver_sql("DROP TABLE paper")
        connection.exec_driver_sql("ALTER TABLE copy RENAME TO paper")
    assert count(engine, "paper_stage") == 1
    with engine.connect() as connection:
        assert connection.exec_driver_sql("PRAGMA foreign_keys").scalar() == 1
    engine.dispose()


def test_a_file_that_is_no_database_is_said_to_be_none(tmp_path: Path) -> None:
    file = tmp_path / "n.db"
    file.write_bytes(b"this is not a database, whatever its name says" * 100)
    with pytest.raises(InfrastructureError, match="not a database") as caught:
        open_database(f"sqlite:///{file}")
    assert "db rebuild" in caught.value.hint
    assert str(file) in caught.value.hint


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(InfrastructureError, match="file") as caught:
        make_engine(f"sqlite:///{tmp_path / 'file' / 'n.db'}")
    assert "NATUREGYM_HOME" in caught.value.hint


def test_first_connections_at_the_same_time_all_come_through(tmp_path: Path) -> None:
    through: list[int] = []
    barrier = threading.Barrier(8)

    def connect() -> None:
        engine = make_engine(f"sqlite:///{tmp_path / 'n.db'}")
        barrier.wait()
        with engine.connect() as connection:
            through.append(connection.exec_driver_sql("SELECT 1").scalar_one())
        engine.dispose()

    threads = [threading.Thread(target=connect) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert through == [1] * 8
    with sqlite3.connect(tmp_path / "n.db") as connection:
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    connection.close()


def test_a_server_that_does_not_answer_is_named_without_its_password() -> None:
    with pytest.raises(InfrastructureError, match=r"127\.0\.0\.1:1/corpus") as caught:
        open_database("postgresql://me:s3cr3t@127.0.0.1:1/corpus?connect_timeout=2")
    assert "s3cr3t" not in caught.value.message + caught.value.hint
    assert "NATUREGYM_DATABASE_URL" in caught.value.hint


def test_without_its_driver_postgresql_names_the_command_that_adds_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(UsageError, match="psycopg") as caught:
        make_engine("postgresql://me:s3cr3t@host/corpus")
    assert "`make postgres`" in caught.value.hint

from pathlib import Path

import pytest
from pydantic import ValidationError

from nature_gym.config import Settings, describe, hide_password, load_settings, unknown_variables
from nature_gym.errors import UsageError


def test_a_variable_wins_over_the_file_and_the_file_over_the_default(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "naturegym.toml").write_text("workers = 3\ntimeout = 7.5\n")
    monkeypatch.setenv("NATUREGYM_WORKERS", "5")
    settings = load_settings()
    assert (settings.workers, settings.timeout, settings.max_wait) == (5, 7.5, 120.0)
    assert load_settings(workers=9).workers == 9


def test_the_home_moves_everything_that_is_written(tmp_path: Path) -> None:
    settings = load_settings(home=tmp_path)
    assert {settings.papers, settings.runs, settings.store} == {tmp_path / n for n in ("papers", "runs", "store")}
    assert settings.database == f"sqlite:///{tmp_path}/naturegym.db"


def test_a_tilde_means_the_users_folder_and_a_relative_home_stays_where_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", "/somewhere")
    monkeypatch.delenv("NATUREGYM_HOME")
    assert load_settings().home == Path("/somewhere/.naturegym")
    assert load_settings(home=Path("corpus")).home == tmp_path / "corpus"


@pytest.mark.parametrize(
    ("variable", "value", "says"),
    [
        ("NATUREGYM_WORKERS", "none", "NATUREGYM_WORKERS: input should be a valid integer"),
        ("NATUREGYM_WORKERS", "0", "NATUREGYM_WORKERS: input should be greater than 0"),
        ("NATUREGYM_DECIDER", "oracle", "NATUREGYM_DECIDER: input should be 'rules', 'llm' or 'human'"),
        ("NATUREGYM_MIRROR", "localhost", "NATUREGYM_MIRROR: "),
        ("NATUREGYM_OPENALEX_URL", "ftp://x", "NATUREGYM_OPENALEX_URL: "),
    ],
)
def test_a_wrong_value_is_named_by_its_variable(
    monkeypatch: pytest.MonkeyPatch, variable: str, value: str, says: str
) -> None:
    monkeypatch.setenv(variable, value)
    with pytest.raises(UsageError) as caught:
        load_settings()
    assert caught.value.message.startswith(says)
    assert "\n" not in caught.value.message


@pytest.mark.parametrize(
    ("text", "says"),
    [("wrokers = 3", "naturegym.toml: wrokers: extra inputs"), ("workers = ", "naturegym.toml: ")],
)
def test_a_wrong_file_is_named(tmp_path: Path, text: str, says: str) -> None:
    (tmp_path / "naturegym.toml").write_text(text)
    with pytest.raises(UsageError) as caught:
        load_settings()
    assert caught.value.message.startswith(says)


def test_a_settings_file_asked_for_must_exist(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NATUREGYM_CONFIG", str(tmp_path / "missing.toml"))
    with pytest.raises(UsageError, match=r"missing\.toml does not exist"):
        load_settings()


def test_an_empty_variable_is_no_value(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NATUREGYM_WORKERS", "")
    assert load_settings().workers >= 1


def test_settings_do_not_change_while_a_command_runs() -> None:
    with pytest.raises(ValidationError):
        load_settings().workers = 4  # type: ignore[misc]


def test_a_variable_that_nothing_reads_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NATUREGYM_WROKERS", "4")
    assert unknown_variables() == ["NATUREGYM_WROKERS"]


def test_every_setting_is_described_and_no_secret_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NATUREGYM_OPENALEX_KEY", "s3cret")
    monkeypatch.setenv("NATUREGYM_DATABASE_URL", "postgresql+psycopg://gym:s3cret@localhost/gym")
    rows = describe(load_settings())
    assert {row["name"] for row in rows} == set(Settings.model_fields)
    assert all(row["meaning"].endswith(".") for row in rows)
    assert "s3cret" not in str(rows)
    assert "s3cret" not in repr(load_settings().model_copy(update={"database_url": ""}))
    assert {row["name"]: row["origin"] for row in rows}["openalex_key"] == "NATUREGYM_OPENALEX_KEY"


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("postgresql+psycopg://u:p@h/d", "postgresql+psycopg://u:***@h/d"),
        ("postgresql://u@h/d", "postgresql://u@h/d"),
        ("postgresql://u:p@ss/w@h/d", "postgresql://u:***@h/d"),
        ("postgresql://u@h/d?password=p&sslmode=off", "postgresql://u@h/d?password=***&sslmode=off"),
        ("http://u:p@127.0.0.1:80", "http://u:***@127.0.0.1:80"),
        ("sqlite:////home/x/a:b@c.db", "sqlite:////home/x/a:b@c.db"),
    ],
)
def test_a_password_in_an_address_is_hidden(url: str, shown: str) -> None:
    assert hide_password(url) == shown


def test_no_password_is_shown_in_any_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NATUREGYM_MIRROR", "http://user:s3cret@127.0.0.1:8000")
    monkeypatch.setenv("NATUREGYM_DATABASE_URL", "postgresql://u@h/x?password=s3cret")
    assert "s3cret" not in str(describe(load_settings()))


def test_a_settings_file_that_is_a_folder_is_told(tmp_path: Path) -> None:
    (tmp_path / "naturegym.toml").mkdir()
    with pytest.raises(UsageError, match="is not a file"):
        load_settings()

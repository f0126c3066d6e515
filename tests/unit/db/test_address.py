import pytest

from db.address import parse, shown, without_secrets
from nature_gym.errors import UsageError

SECRET = "s3cr3t-pa55"


@pytest.mark.parametrize("scheme", ["postgres", "postgresql", "postgresql+psycopg"])
def test_postgresql_is_reached_by_our_driver_however_it_is_written(scheme: str) -> None:
    assert parse(f"{scheme}://me@host/corpus").drivername == "postgresql+psycopg"


def test_sqlite_keeps_its_file() -> None:
    assert parse("sqlite:////data/naturegym.db").database == "/data/naturegym.db"


@pytest.mark.parametrize(
    "address",
    [
        f"mysql://me:{SECRET}@host/corpus",
        f"postgresql+asyncpg://me:{SECRET}@host/corpus",
        f"postgresql://me:{SECRET}@host",
        f"postgresql://me:{SECRET}@host:port/corpus",
        f"me:{SECRET}@host",
        "sqlite://",
        "sqlite:///:memory:",
        "",
    ],
)
def test_an_address_that_cannot_be_used_is_refused_without_repeating_it(address: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse(address)
    assert "NATUREGYM_DATABASE_URL" in caught.value.hint
    assert SECRET not in caught.value.message + caught.value.hint


@pytest.mark.parametrize(
    "address",
    [
        f"postgresql://me:{SECRET}@host/corpus",
        f"postgresql://me@host/corpus?password={SECRET}",
        f"postgresql://me@host/corpus?sslmode=require&sslpassword={SECRET}",
        f"postgresql://me:{SECRET}@host/corpus?password={SECRET}&password={SECRET}",
    ],
)
def test_no_password_is_shown(address: str) -> None:
    url = parse(address)
    assert SECRET not in shown(url)
    assert "host/corpus" in shown(url)
    assert SECRET not in without_secrets(f"connection to {address} failed", url)


def test_what_is_not_secret_is_shown() -> None:
    assert shown(parse("postgresql://me@host/corpus?sslmode=require")).endswith("me@host/corpus?sslmode=require")

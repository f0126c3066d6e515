import pytest

from nature_gym.config import load_settings
from nature_gym.web.addresses import SERVICES, asked_at, brief, brief_addresses, git_settings

MIRROR = "http://127.0.0.1:8000"


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://zenodo.org/api/records/7", "/zenodo.org/api/records/7"),
        ("https://doi.org/10.5555/a(b)?x=1&y=%20", "/doi.org/10.5555/a(b)?x=1&y=%20"),
        ("http://old.example.org:8080/", "/old.example.org:8080/"),
        ("https://example.org", "/example.org"),
        ("https://example.org/a#fragment", "/example.org/a"),
    ],
)
def test_a_mirror_stands_for_every_host(url: str, expected: str) -> None:
    settings = load_settings(mirror=MIRROR)
    assert asked_at(settings, url) == MIRROR + expected
    assert asked_at(settings, MIRROR + expected) == MIRROR + expected, "what is at the mirror stays there"


def test_without_a_mirror_an_address_is_asked_as_it_stands() -> None:
    assert asked_at(load_settings(), "https://zenodo.org/api/records/7") == "https://zenodo.org/api/records/7"


@pytest.mark.parametrize("service", SERVICES)
def test_a_service_moves_with_its_base_address_and_no_other_with_it(service: str) -> None:
    usual = getattr(load_settings(), service)
    settings = load_settings(**{service: "http://localhost:9000/base/"})
    assert asked_at(settings, usual + "/records/7?q=1") == "http://localhost:9000/base/records/7?q=1"
    assert asked_at(settings, usual + "?q=1") == "http://localhost:9000/base?q=1"
    assert asked_at(settings, usual + "x.example/records") == usual + "x.example/records"


def test_a_base_address_wins_over_the_mirror() -> None:
    settings = load_settings(mirror=MIRROR, zenodo_url="http://localhost:9000")
    assert asked_at(settings, "https://zenodo.org/api/records/7") == "http://localhost:9000/records/7"


def test_git_is_pointed_at_the_mirror_too() -> None:
    assert git_settings(load_settings()) == {}
    assert git_settings(load_settings(mirror=MIRROR))["GIT_CONFIG_KEY_0"] == f"url.{MIRROR}/.insteadOf"


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://zenodo.org/api/records/7", "https://zenodo.org/api/records/7"),
        ("https://api.openalex.org/works?filter=" + "x" * 500, "https://api.openalex.org/works?..."),
        ("https://me:secret@example.org:8080/a?key=secret#part", "https://example.org:8080/a?..."),
        ("https://example.org/" + "y" * 500, "https://example.org/" + "y" * 119 + "..."),
        ("http://[broken/x", "http://[broken/x"),
        ("mailto:somebody", "mailto:somebody"),
    ],
)
def test_an_address_in_a_sentence_is_short_and_keeps_secrets(url: str, expected: str) -> None:
    assert brief(url) == expected


def test_addresses_in_other_peoples_sentences_are_made_short() -> None:
    said = "400 Client Error: Bad Request for url: https://api.openalex.org/works?api_key=secret&filter=a (see it)"
    assert brief_addresses(said) == (
        "400 Client Error: Bad Request for url: https://api.openalex.org/works?... (see it)"
    )

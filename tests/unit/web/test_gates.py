import pytest

from nature_gym.demo.miniweb.hosts.pages import CAPTCHA
from nature_gym.demo.miniweb.rude import RUDE_PAGES
from nature_gym.web.gates import Gate, gate

SIGN_IN = next(page.body for page in RUDE_PAGES if page.url.endswith("/sign-in"))


@pytest.mark.parametrize(
    ("body", "url", "expected"),
    [
        (CAPTCHA, "https://a.org/x", "captcha"),
        (b"<title>Attention Required! | Cloudflare</title><p>why", "https://a.org/x", "captcha"),
        (
            b"<title>a.org</title><script src='//geo.captcha-delivery.com/c.js'>",
            "https://a.org",
            "captcha",
        ),
        (SIGN_IN, "https://a.org/x", "sign-in"),
        (b"<h1>Welcome</h1>", "https://idp.nature.com/authorize?x", "sign-in"),
        (b"<h1>Welcome</h1>", "https://a.org/login?next=/x", "sign-in"),
        (b"<h1>Data</h1><p>Sign in to see more, or log in.</p>", "https://a.org/x", None),
        (b"<h1>Catalogue of logins</h1>", "https://a.org/login-statistics.html", None),
        (b"<title>Bypassing captchas</title>" + b"<p>text</p>" * 9000, "https://a.org/x", None),
        (b"", "https://a.org/x", None),
    ],
)
def test_a_page_that_stands_in_the_way_is_told_from_one_that_speaks_of_it(
    body: bytes, url: str, expected: Gate | None
) -> None:
    assert gate(body, url) == expected

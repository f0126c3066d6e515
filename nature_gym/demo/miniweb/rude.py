"""The rude host that every demo world has: one page for each way of being a nuisance.

``https://rude.example.org/`` lists them. A world may put pages of its own in their place.
"""

from __future__ import annotations

from nature_gym.demo.model import Page

RUDE_HOST = "rude.example.org"
_BASE = f"https://{RUDE_HOST}"
_TEXT = b"<html><body><p>Here it is, after all.</p></body></html>\n" * 50
_SIGN_IN = b"""<!DOCTYPE html>
<html lang="en"><head><title>Sign in</title></head>
<body><h1>Sign in to continue</h1>
<form action="/session" method="post"><label>Email <input type="email" name="login"></label>
<label>Password <input type="password" name="password"></label><button>Sign in</button></form>
</body></html>
"""

_PAGES = (
    Page(f"{_BASE}/slow", body=_TEXT, behaviour="slow"),
    Page(f"{_BASE}/flaky", body=_TEXT, behaviour="flaky"),
    Page(f"{_BASE}/limited", body=_TEXT, behaviour="limited"),
    Page(f"{_BASE}/limited-for-hours", body=_TEXT, behaviour="limited", headers={"retry-after": "36000"}),
    Page(f"{_BASE}/reset", body=_TEXT, behaviour="reset"),
    Page(f"{_BASE}/loop", behaviour="loop"),
    Page(f"{_BASE}/captcha", behaviour="captcha"),
    Page(f"{_BASE}/sign-in", body=_SIGN_IN),
    Page(f"{_BASE}/private", status=302, headers={"location": f"{_BASE}/sign-in?return_to=/private"}),
    Page(f"{_BASE}/forbidden", status=403, body=b"<h1>Forbidden</h1>"),
    Page(f"{_BASE}/broken", status=500, body=b"<h1>Internal Server Error</h1>"),
    Page(f"{_BASE}/gone", status=410, body=b"<h1>Gone</h1>"),
    Page(f"{_BASE}/wrong.json", media_type="application/json", body=b'{"files": [{"key": "a.csv", "si'),
    Page(f"{_BASE}/latin.html", media_type="text/html; charset=utf-8", body="<p>Z\u00fcrich</p>".encode("latin-1")),
    Page(f"{_BASE}/endless.html", body=b"<html><body>", declared_size=300_000_000),
    Page(f"{_BASE}/data%20\u2728.csv", media_type="text/csv", body=b"x,y\n1,2\n"),
)
_LIST = "".join(f'<li><a href="{page.url}">{page.url}</a></li>' for page in _PAGES)

RUDE_PAGES = (Page(f"{_BASE}/", body=f'<meta charset="utf-8"><ul>{_LIST}</ul>'.encode()), *_PAGES)
"""What the rude host serves."""

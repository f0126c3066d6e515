"""The report in a real browser: from the disk and from a server, by mouse and by keys, in the light and in the dark."""

from __future__ import annotations

import functools
import http.server
import re
import shutil
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from nature_gym.reporting.site import Records, write_report
from tests.unit.reporting.homes import grow
from tests.unit.reporting.test_site import HOSTILE, hostile

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Dialog, Page

CHROMIUM = shutil.which("chromium")
FLAGS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-sync"]
PAGES = ("index.html", "papers.html", "packages.html", "leaderboard.html", "trials.html", "failures.html")
PAPERS = 1_120
pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed (Debian: apt-get install chromium)"),
]

CONTRAST = """() => {
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const colour = (text) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = text;
    canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data];
  };
  const light = ([r, g, b]) => [r, g, b].map((part) => part / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
    .reduce((sum, part, at) => sum + part * [0.2126, 0.7152, 0.0722][at], 0);
  const ratio = (one, other) => {
    const [high, low] = [light(one), light(other)].sort((a, b) => b - a);
    return (high + 0.05) / (low + 0.05);
  };
  const behind = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const found = colour(getComputedStyle(at).backgroundColor);
      if (found[3] === 255) return found;
    }
    return [255, 255, 255, 255];
  };
  const weak = [];
  const seen = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (seen.nextNode()) {
    const element = seen.currentNode.parentElement;
    if (!seen.currentNode.data.trim() || !element.getClientRects().length) continue;
    if (element.closest(":disabled, noscript, title, .skip")) continue;
    const style = getComputedStyle(element);
    const drawn = element instanceof SVGElement;
    const rect = element.classList.contains("in") ? element.previousElementSibling : null;
    const under = drawn ? element.ownerSVGElement.parentElement : element;
    const ground = rect ? colour(getComputedStyle(rect).fill) : behind(under);
    const found = ratio(colour(drawn ? style.fill : style.color), ground);
    const needed = parseFloat(style.fontSize) >= 24 ? 3 : 4.5;
    const what = `${element.tagName}.${element.getAttribute("class")} ${seen.currentNode.data.trim().slice(0, 40)}`;
    if (found < needed) weak.push(`${what}: ${found.toFixed(2)}`);
  }
  return [...new Set(weak)].slice(0, 20);
}"""
NAMELESS = """() => {
  const found = [];
  const named = (element) => element.getAttribute("aria-label") || element.textContent.trim()
    || document.getElementById(element.getAttribute("aria-labelledby"));
  for (const element of document.querySelectorAll("button, a, nav, section, [role]")) {
    if (!named(element)) found.push(element.outerHTML.slice(0, 120));
  }
  for (const field of document.querySelectorAll("input, select")) {
    if (!field.labels.length || !field.labels[0].textContent.trim()) found.push(field.outerHTML.slice(0, 120));
  }
  for (const table of document.querySelectorAll("table")) {
    if (!table.caption || !table.caption.textContent.trim()) found.push("a table without a caption");
    for (const head of table.querySelectorAll("th")) if (!head.scope) found.push(`no scope: ${head.textContent}`);
  }
  const levels = [...document.querySelectorAll("h1, h2, h3, h4")].map((one) => Number(one.tagName[1]));
  levels.forEach((level, at) => {
    if (at && level - levels[at - 1] > 1) found.push(`heading ${level} after ${levels[at - 1]}`);
  });
  if (!document.documentElement.lang || !document.title) found.push("no language or title");
  return found;
}"""

NARROW = """() => [...document.querySelectorAll(".wide td:not(.num)")]
  .filter((cell) => cell.textContent.trim() && cell.clientWidth && cell.clientWidth < 90)
  .map((cell) => cell.textContent.trim().slice(0, 40)).slice(0, 10)"""


@dataclass
class Look:
    """A page with all that it asked for and complained of."""

    page: Page
    asked: list[str] = field(default_factory=list)
    said: list[str] = field(default_factory=list)

    def texts(self, selector: str) -> list[str]:
        return self.page.locator(selector).all_text_contents()


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("home")
    grow(home, papers=PAPERS, trials=150)
    return write_report(Records(home, home / "papers", home / "packages"), home / "report").out


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


def listen(page: Page, one: Look) -> None:
    def dismiss(dialog: Dialog) -> None:
        one.said.append(f"dialog {dialog.message}")
        dialog.dismiss()

    page.on("request", lambda request: one.asked.append(request.url))
    page.on("console", lambda message: one.said.append(message.text))
    page.on("pageerror", lambda error: one.said.append(str(error)))
    page.on("dialog", dismiss)


@pytest.fixture
def look(browser: Browser) -> Iterator[Any]:
    """Opens pages; at the end none of them has complained, or asked for anything but files of the site."""
    opened: list[Look] = []

    def start(**options: Any) -> Look:
        page = browser.new_page(viewport={"width": 1200, "height": 900}, reduced_motion="reduce", **options)
        one = Look(page)
        listen(page, one)
        opened.append(one)
        return one

    yield start
    for one in opened:
        one.page.close()
        assert one.said == []


@pytest.fixture
def served(site: Path) -> Iterator[str]:
    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_: Any) -> None:
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(site)))
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    thread.join()
    server.server_close()


def ready(page: Page) -> None:
    """Until the list shows all that it was asked for."""
    from playwright.sync_api import expect

    if page.locator("#told").count():
        expect(page.locator("#told")).to_have_text(re.compile(r"^[0-9,]+ of [0-9,]+[^;]*\.$"), timeout=30_000)
    expect(page.get_by_text("Loading.", exact=True)).to_have_count(0)


@pytest.mark.parametrize("how", ["disk", "server"])
def test_every_page_opens_and_asks_for_nothing_but_the_sites_own_files(
    site: Path, served: str, look: Any, how: str
) -> None:
    root = served if how == "server" else f"{site.as_uri()}/"
    one = look()
    for name in PAGES:
        one.page.goto(root + name)
        ready(one.page)
        assert one.page.locator("nav [aria-current=page]").get_attribute("href") == name
    assert one.asked
    assert [url for url in one.asked if not url.startswith(root)] == []


def test_an_end_of_the_funnel_leads_to_its_papers(site: Path, look: Any) -> None:
    one = look()
    one.page.goto((site / "index.html").as_uri())
    link = one.page.locator(".sankey a").filter(has_text="2.1 model analysis")
    count = link.locator(".count").text_content()
    link.click()
    ready(one.page)
    assert one.page.locator("#told").text_content() == f"{count} of {PAPERS:,}, 2.1 model analysis."
    assert set(one.texts("#papers tbody td:nth-child(4) .id")) == {"2.1 model analysis"}


def test_papers_are_found_by_words_and_filters_also_those_of_later_chunks(site: Path, look: Any) -> None:
    one = look()
    one.page.goto((site / "papers.html").as_uri())
    assert one.page.locator("#papers tbody tr").count() == 50
    ready(one.page)
    later = [(site / "data" / "papers" / "1.js").as_uri()]
    assert not set(later) & set(one.asked), "rows are loaded when they are needed"
    assert one.page.locator("#place").text_content() == f"Page 1 of {-(-PAPERS // 50)}"
    assert not any("paper-details" in url for url in one.asked), "evidence is loaded when it is asked for"
    one.page.get_by_label("Search titles").fill("10.5555_PAPER-00104 nature")
    ready(one.page)
    assert one.texts("#papers tbody .open + .id") == ["10.5555_paper-00104"]
    assert [url for url in one.asked if url in later] == later
    one.page.get_by_label("Search titles").fill("")
    one.page.get_by_label("Verdict of screening").select_option("rejected")
    one.page.get_by_label("Stopped at rule").select_option("3.6")
    one.page.get_by_label("Code").select_option("too_large")
    assert set(one.texts("#papers tbody td:nth-child(4) .id")) == {"3.6 too large"}
    assert "rule=3.6" in one.page.url
    one.page.reload()
    ready(one.page)
    assert one.page.get_by_label("Stopped at rule").input_value() == "3.6"
    one.page.get_by_role("button", name="Clear").click()
    assert one.page.locator("#told").text_content() == f"{PAPERS:,} of {PAPERS:,}."
    one.page.get_by_role("button", name="More rows").click()
    assert one.page.locator("#place").text_content() == f"Page 2 of {-(-PAPERS // 50)}"


def test_a_paper_opens_with_its_evidence_and_has_an_address_of_its_own(site: Path, look: Any) -> None:
    one = look()
    one.page.goto((site / "papers.html").as_uri())
    ready(one.page)
    one.page.get_by_label("Search titles").fill("paper-00303")
    one.page.locator("#papers .open").click()
    one.page.locator("td.detail blockquote").first.wait_for()
    assert "We learn it from data." in one.texts("td.detail blockquote")[0]
    assert one.page.locator("#papers .open").get_attribute("aria-expanded") == "true"
    again = look()
    again.page.goto((site / "papers.html").as_uri() + "#paper=10.5555_paper-00312")
    again.page.locator("td.detail h2").first.wait_for()
    assert again.page.locator("#papers .open[aria-expanded=true] + .id").text_content() == "10.5555_paper-00312"


def test_standings_sort_by_any_column_both_ways(site: Path, look: Any) -> None:
    one = look()
    one.page.goto((site / "leaderboard.html").as_uri())
    head = one.page.locator("#standings th", has_text="Match %")

    def column() -> list[float]:
        cells = one.page.locator("#standings tbody td:nth-child(6)").all()
        return [float(cell.get_attribute("data-value")) for cell in cells]

    before = column()
    assert len(set(before)) > 2
    head.get_by_role("button").click()
    assert head.get_attribute("aria-sort") == "descending"
    assert column() == sorted(before, reverse=True)
    head.get_by_role("button").click()
    assert head.get_attribute("aria-sort") == "ascending"
    assert column() == sorted(before)
    one.page.locator("#standings th", has_text="Agent").get_by_role("button").click()
    assert head.get_attribute("aria-sort") is None
    agents = one.texts("#standings tbody th")
    assert agents == sorted(agents)


def test_trials_sort_filter_and_open_with_time_line_verdicts_network_and_trajectory(site: Path, look: Any) -> None:
    one = look()
    one.page.goto((site / "trials.html").as_uri())
    ready(one.page)
    one.page.get_by_role("button", name="Best g").click()
    gaps = [float(text.replace("−", "-")) for text in one.texts("#trials tbody td:nth-child(8)")]
    assert gaps == sorted(gaps, reverse=True)
    one.page.get_by_label("Verdict").select_option("invalid")
    assert set(one.texts("#trials tbody td:nth-child(9)")) == {"invalid"}
    one.page.locator("#trials .open").first.click()
    detail = one.page.locator("td.detail")
    detail.locator("svg .dot").first.wait_for()
    assert "target extraction" in detail.text_content()
    assert "api.example.org" in detail.text_content()
    detail.get_by_text("Events (100)").click()
    assert detail.locator("ol.events > li").count() == 100
    assert "30 events in the middle are left out." in detail.text_content()


def test_keys_alone_lead_to_the_content_through_the_pages_and_into_a_paper(site: Path, look: Any) -> None:
    one = look()
    one.page.goto((site / "papers.html").as_uri())
    ready(one.page)
    focused = "document.activeElement"
    one.page.keyboard.press("Tab")
    assert one.page.evaluate(f"{focused}.textContent") == "Skip to the content"
    assert one.page.evaluate(f"{focused}.getBoundingClientRect().left") >= 0
    one.page.keyboard.press("Enter")
    one.page.keyboard.press("Tab")
    assert one.page.evaluate(f"{focused}.id") == "q"
    assert one.page.evaluate(f"getComputedStyle({focused}).outlineStyle") == "solid"
    one.page.keyboard.type("paper-00303")
    for _ in range(30):
        one.page.keyboard.press("Tab")
        if one.page.evaluate(f"{focused}.className") == "open":
            break
    assert one.page.evaluate(f"getComputedStyle({focused}).outlineStyle") == "solid"
    one.page.keyboard.press("Enter")
    one.page.locator("td.detail blockquote").first.wait_for()
    one.page.keyboard.press("Space")
    assert one.page.locator("td.detail").count() == 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_all_text_can_be_read_and_everything_has_a_name(site: Path, look: Any, scheme: str) -> None:
    one = look(color_scheme=scheme)
    package = next((site / "packages").iterdir()).name
    for name in (*PAGES, f"packages/{package}"):
        one.page.goto((site / name).as_uri())
        ready(one.page)
        if one.page.locator(".open").count():
            one.page.locator(".open").first.click()
            one.page.locator("td.detail h2").first.wait_for()
        one.page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
        assert one.page.evaluate(CONTRAST) == [], name
        assert one.page.evaluate(NAMELESS) == [], name
    ground = one.page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (ground == "rgb(253, 253, 251)") is (scheme == "light")


def test_a_theme_that_was_chosen_stays_on_the_other_pages(site: Path, served: str, look: Any) -> None:
    one = look(color_scheme="light")
    one.page.goto(served + "index.html")
    one.page.get_by_role("button", name="Dark theme").click()
    one.page.goto(served + "failures.html")
    assert one.page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(21, 25, 27)"
    assert one.page.get_by_role("button", name="Light theme").is_visible()


def test_a_narrow_screen_scrolls_within_tables_and_drawings_and_not_as_a_whole(site: Path, look: Any) -> None:
    one = look()
    one.page.set_viewport_size({"width": 400, "height": 800})
    for name in PAGES:
        one.page.goto((site / name).as_uri())
        ready(one.page)
        assert one.page.evaluate("document.documentElement.scrollWidth") <= 400, name
        assert one.page.evaluate(NARROW) == [], name


def test_what_is_hostile_is_shown_as_it_is_written_and_does_nothing(tmp_path: Path, look: Any) -> None:
    checks = hostile(tmp_path)
    out = write_report(Records(tmp_path, tmp_path / "papers", tmp_path / "packages", checks), tmp_path / "report").out
    one = look()
    for name in (*PAGES, "packages/bad.html"):
        one.page.goto((out / name).as_uri())
        ready(one.page)
        for button in one.page.locator(".open").all():
            button.click()
        ready(one.page)
        one.page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
        assert one.page.locator("img").count() == 0
        assert one.page.locator("a[href^='javascript']").count() == 0
    one.page.goto((out / "papers.html").as_uri())
    shown = one.texts("#papers .open")[0]
    assert shown == HOSTILE.translate(dict.fromkeys(map(ord, "\x1b\x07\u202e\u2028"), "\ufffd"))


def test_a_copy_that_lacks_its_data_says_so(tmp_path: Path, browser: Browser) -> None:
    grow(tmp_path, papers=30, trials=2)
    out = write_report(Records(tmp_path, tmp_path / "papers", tmp_path / "packages"), tmp_path / "report").out
    shutil.rmtree(out / "data" / "paper-details")
    page = browser.new_page()
    page.goto((out / "papers.html").as_uri())
    page.locator("#papers .open").first.click()
    page.locator("td.detail", has_text="was the whole folder copied?").wait_for()
    page.close()

"""What the mini-web's own address shows to a person: which hosts there are, with an example of each."""

from __future__ import annotations

import html
from collections.abc import Iterable

from nature_gym.demo.miniweb.catalogue import Catalogue

OWN_PAGES = {
    "/_demo/settings": "how it behaves, and its hosts",
    "/_demo/stats": "requests by host",
    "/_demo/log": "every request so far",
    "/_demo/truth": "what a careful reader says of each paper",
}
"""Pages that play no host, with what they tell."""
_PLACES = {"zenodo.org": "records/", "figshare.com": "articles/dataset/_/", "huggingface.co": "datasets/"}


def examples(catalogue: Catalogue) -> dict[str, str]:
    """Host -> an address of it that has something to show."""
    found = {
        "api.openalex.org": "https://api.openalex.org/works?per-page=1",
        "rude.example.org": "https://rude.example.org/",
    }
    paper = next((one for one in catalogue.world.papers if "html" in one.formats), None)
    if paper is not None:
        found["www.nature.com"] = paper.url
        found["doi.org"] = f"https://doi.org/{paper.doi}"
    if catalogue.by_pmcid:
        base = "https://www.ebi.ac.uk/europepmc/webservices/rest"
        found["www.ebi.ac.uk"] = f"{base}/search?query={next(iter(catalogue.by_pmcid))}&format=json"
    for repository in catalogue.repositories.values():
        if repository.state == "open":
            found.setdefault(repository.host, repository.url)
            if repository.host == "github.com":
                api = f"https://api.github.com/repos/{repository.owner}/{repository.name}"
                found.setdefault("api.github.com", api)
    for deposit in catalogue.deposits.values():
        if deposit.state == "open":
            found.setdefault(deposit.host, f"https://{deposit.host}/{_PLACES[deposit.host]}{deposit.number}")
            if deposit.host == "figshare.com":
                found.setdefault("api.figshare.com", f"https://api.figshare.com/v2/articles/{deposit.number}")
    return found


def welcome_page(catalogue: Catalogue, hosts: Iterable[str]) -> str:
    """The body of the page, as HTML."""
    known = examples(catalogue)
    rows = []
    for host in sorted(hosts, key=lambda host: (host not in known, host)):
        address = known.get(host)
        rows.append(f"<li>{_link(address)}</li>" if address else f"<li>{html.escape(host)}</li>")
    own = "".join(f'<li><a href="{path}">{path}</a>: {words}</li>' for path, words in OWN_PAGES.items())
    return (
        f"<p>It plays the whole web of a demo world with {len(catalogue.world.papers)} papers. "
        "<code>https://HOST/PATH</code> is served here as <code>/HOST/PATH</code>; a run is pointed here by "
        "<code>NATUREGYM_MIRROR</code> with this page's address.</p>\n"
        f"<h2>Hosts</h2>\n<ul>{''.join(rows)}</ul>\n<h2>About the demo</h2>\n<ul>{own}</ul>"
    )


def _link(address: str) -> str:
    """A real address, linked to where it is served."""
    return f'<a href="/{html.escape(address.removeprefix("https://"))}">{html.escape(address)}</a>'

"""What pages of data hosts say with status 200 where there is nothing, or nothing for everybody.

Archives of sequences answer every accession with a page; only its words tell that there is none, or that it is not
released yet.
"""

from __future__ import annotations

import re

from nature_gym.hosting.holdings import State, split

_ABSENT = re.compile(
    rb"could not find a public or private accession|the following id is not public in|no items found|"
    rb"is not (?:a valid|an existing) accession|invalid accession|no entry (?:was )?found",
    re.IGNORECASE,
)
_NOT_YET = re.compile(
    rb"is currently private and is scheduled to be released|"
    rb"is under (?:embargo|review) until|on hold until publication",
    re.IGNORECASE,
)
_CONTROLLED = re.compile(
    rb"only credentialed users who sign|restricted-access resource|"
    rb"must be a credentialed user|only registered users who sign",
    re.IGNORECASE,
)
_ARCHIVES = ("ncbi.nlm.nih.gov", "ebi.ac.uk", "rcsb.org", "wwpdb.org", "uniprot.org", "ddbj.nig.ac.jp", "cncb.ac.cn")


def said(url: str, page: bytes) -> State | None:
    """``absent`` or ``restricted`` where the page says so; None for every other page."""
    host, _, _ = split(url)
    if any(host == known or host.endswith(f".{known}") for known in _ARCHIVES):
        if _ABSENT.search(page):
            return "absent"
        if _NOT_YET.search(page):
            return "restricted"
    if host == "physionet.org" and _CONTROLLED.search(page):
        return "restricted"
    return None

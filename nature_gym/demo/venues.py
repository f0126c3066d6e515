"""The ten journals as the demo world knows them.

Names and ISSN-L are the real ones, so that the shipped venue files find the demo's papers;
source ids are invented. Article suffixes follow the publisher's pattern.
"""

from nature_gym.demo.model import Venue

VENUES: dict[str, Venue] = {
    venue.suffix_code: venue
    for venue in (
        Venue("Nature Machine Intelligence", "Nat. Mach. Intell.", "2522-5839", "S900000001", "s42256"),
        Venue("Nature Communications", "Nat. Commun.", "2041-1723", "S900000002", "s41467"),
        Venue("Nature Methods", "Nat. Methods", "1548-7091", "S900000003", "s41592"),
        Venue("Nature Materials", "Nat. Mater.", "1476-1122", "S900000004", "s41563"),
        Venue("Nature Biomedical Engineering", "Nat. Biomed. Eng.", "2157-846X", "S900000005", "s41551"),
        Venue("Nature Energy", "Nat. Energy", "2058-7546", "S900000006", "s41560"),
        Venue("Nature Biotechnology", "Nat. Biotechnol.", "1087-0156", "S900000007", "s41587"),
        Venue("Nature Computational Science", "Nat. Comput. Sci.", "2662-8457", "S900000008", "s43588"),
        Venue("Nature Genetics", "Nat. Genet.", "1061-4036", "S900000009", "s41588"),
        Venue("Nature Neuroscience", "Nat. Neurosci.", "1097-6256", "S900000010", "s41593"),
    )
}
"""Suffix code -> venue, in the order of the design's list."""


def suffix(code: str, year: int, number: int) -> str:
    """An article suffix in the publisher's pattern, with a check digit that depends on the rest.

    >>> suffix("s42256", 2023, 601)
    's42256-023-00601-7'
    """
    stem = f"{code}-{year % 1000:03d}-{number:05d}"
    check = sum(int(character) * (place + 1) for place, character in enumerate(stem) if character.isdigit())
    return f"{stem}-{check % 10}"

"""Seeded choice of words, names and numbers for the demo's papers.

Papers are written from alternatives, so that another seed tells the same story in other
words. Some alternatives are *unseen*: they are used only when asked for, so that rules which
read papers can be measured on phrasings that nobody tuned them to.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from nature_gym.demo.model import Author

GIVEN = (
    "Amara", "Bao", "Carla", "Dmitri", "Elif", "Farid", "Greta", "Hiro", "Ingrid", "Jonas", "Kavya", "Luca",
    "Mei", "Nadia", "Oluwaseun", "Priya", "Quentin", "Rosa", "Sven", "Tariq", "Ulla", "Viktor", "Wen", "Ximena",
    "Yusuf", "Zofia", "José", "Zoë", "Søren", "Łukasz",
)  # fmt: skip
FAMILY = (
    "Abara", "Björk", "Castellan", "Dufresne", "Ekström", "Fontaine", "Grünwald", "Hashimoto", "Ivanković", "Jansen",
    "Kowalczyk", "Lindqvist", "Moreau", "Nakagawa", "Okonjo", "Petrov", "Quispe", "Rahimi", "Sørensen", "Takeda",
    "Uribe", "Vance", "Wexford", "Xu-Meyer", "Yamada", "Zielińska", "O’Hara", "de la Cruz", "van Rijn", "Ng",
)  # fmt: skip
INSTITUTES = (
    "Institute for Data Science, University of Norvale, Norvale, Norway",
    "Department of Computer Science, Calder University, Calder, UK",
    "Centre for Applied Mathematics, Universidad de Monteluz, Monteluz, Spain",
    "School of Engineering, Hanmaru National University, Hanmaru, South Korea",
    "Laboratory of Quantitative Biology, Institut Valmont, Valmont, France",
    "Faculty of Physics, Technische Hochschule Brückstadt, Brückstadt, Germany",
    "Graduate School of Informatics, Kitayama University, Kitayama, Japan",
    "Department of Biomedical Informatics, Fairhaven Medical School, Fairhaven, MA, USA",
)


class Words:
    """One paper's source of choices: the same seed and key give the same sequence."""

    def __init__(self, seed: int, key: str, *, unseen: bool = False) -> None:
        self.random = random.Random(f"{seed}/{key}")
        self.unseen = unseen

    def pick(self, *seen: str, unseen: Sequence[str] = ()) -> str:
        """One of the alternatives; of the unseen ones where this source was made for them."""
        return self.random.choice(list(unseen) if self.unseen and unseen else list(seen))

    def number(self, low: int, high: int) -> int:
        """A whole number from ``low`` to ``high``, both included."""
        return self.random.randint(low, high)

    def authors(self, count: int) -> tuple[Author, ...]:
        """Distinct invented authors; the last one is the corresponding author."""
        given = self.random.sample(GIVEN, count)
        family = self.random.sample(FAMILY, count)
        homes = [self.random.choice(INSTITUTES) for _ in range(min(count, 3))]
        return tuple(
            Author(given[i], family[i], homes[i % len(homes)], corresponding=i == count - 1) for i in range(count)
        )

"""Venue lists: which journals, years and texts make up a corpus. Data, not code.

A list is a YAML file; the shipped ones lie in ``lists/`` beside this module and are named without
their ending. Each journal is found by its ISSN; ``search`` narrows a large one down by words in
title and abstract.
"""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import Annotated

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from nature_gym.errors import UsageError

LISTS = Path(__file__).parent / "lists"


class Journal(BaseModel):
    """One journal of a list."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str
    issn: Annotated[str, Field(pattern=r"^\d{4}-\d{3}[\dX]$")]
    search: str = ""
    """Words that title or abstract must hold, in OpenAlex's search syntax; empty takes all."""


class VenueList(BaseModel):
    """A corpus: journals, a range of publication dates, and OpenAlex's types of works."""

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)

    name: str
    title: str = ""
    first: Annotated[dt.date, Field(alias="from")]
    last: Annotated[dt.date, Field(alias="to")]
    types: tuple[str, ...] = ("article",)
    journals: Annotated[tuple[Journal, ...], Field(min_length=1)]


def shipped() -> list[str]:
    """Names of the lists that come with the program."""
    return sorted(path.stem for path in LISTS.glob("*.yaml"))


def load_venues(name: str) -> VenueList:
    """A shipped list by name, or any by the path of its file.

    Raises UsageError that names the file and what is wrong in it.
    """
    path = LISTS / f"{name}.yaml" if name in shipped() else Path(name)
    try:
        return VenueList.model_validate(yaml.safe_load(path.read_text()))
    except FileNotFoundError:
        raise UsageError(
            f"there is no venue list {name!r}", hint=f"Give a YAML file, or one of: {', '.join(shipped())}."
        ) from None
    except (OSError, yaml.YAMLError, ValidationError) as error:
        raise UsageError(f"{path}: {error}", hint=f"{LISTS / 'nature-family.yaml'} shows the form.") from error

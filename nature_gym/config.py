"""Settings: one class, read from ``NATUREGYM_*`` variables and from ``naturegym.toml``.

What a variable says wins over the file, and the file over the defaults. The file is the one that
``NATUREGYM_CONFIG`` names, else ``naturegym.toml`` in the current folder.
"""

from __future__ import annotations

import os
import re
import tomllib
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, HttpUrl, PositiveFloat, PositiveInt, TypeAdapter, ValidationError, field_validator
from pydantic_settings import (
    BaseSettings,
    NoDecode,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    TomlConfigSettingsSource,
)

from nature_gym.errors import UsageError

PREFIX = "NATUREGYM_"
CONFIG_VARIABLE = "NATUREGYM_CONFIG"
DEFAULT_CONFIG = Path("naturegym.toml")

DeciderName = Literal["rules", "llm", "human"]
ModelProvider = Literal["anthropic", "openai"]
SandboxName = Literal["auto", "docker", "bubblewrap", "process"]
TaskRunnerName = Literal["threads", "dask", "ray"]


def _check_address(value: str) -> str:
    """Addresses are kept as text, without the slash at the end that URL types add."""
    TypeAdapter(HttpUrl).validate_python(value)
    return value.rstrip("/")


class Settings(BaseSettings):
    """Everything that can be set. Each field's description is its documentation."""

    model_config = SettingsConfigDict(env_prefix=PREFIX, extra="forbid", frozen=True, env_ignore_empty=True)

    home: Annotated[Path, Field(description="Folder of everything that a command writes.")] = Path("~/.naturegym")
    database_url: Annotated[
        str, Field(description="SQLAlchemy address of the database; empty for SQLite in the home folder.")
    ] = ""

    mirror: Annotated[
        str,
        Field(description="Ask every outside address https://HOST/PATH as MIRROR/HOST/PATH, and nothing else."),
    ] = ""
    openalex_url: Annotated[str, Field(description="Base address of the OpenAlex API.")] = "https://api.openalex.org"
    article_url: Annotated[str, Field(description="Base address of the article site.")] = "https://www.nature.com"
    europepmc_url: Annotated[str, Field(description="Base address of Europe PMC's REST service.")] = (
        "https://www.ebi.ac.uk/europepmc/webservices/rest"
    )
    github_url: Annotated[str, Field(description="Base address of the GitHub API.")] = "https://api.github.com"
    gitlab_url: Annotated[str, Field(description="Base address of the GitLab API.")] = "https://gitlab.com/api/v4"
    zenodo_url: Annotated[str, Field(description="Base address of the Zenodo API.")] = "https://zenodo.org/api"
    figshare_url: Annotated[str, Field(description="Base address of the Figshare API.")] = "https://api.figshare.com/v2"
    huggingface_url: Annotated[str, Field(description="Base address of the Hugging Face hub.")] = (
        "https://huggingface.co"
    )
    openalex_key: Annotated[str, Field(description="OpenAlex API key.", repr=False)] = ""
    github_token: Annotated[str, Field(description="GitHub token; more requests an hour.", repr=False)] = ""
    contact: Annotated[str, Field(description="Contact address sent to services in the User-Agent.")] = ""

    workers: Annotated[PositiveInt, Field(description="Papers worked on at the same time.")] = os.cpu_count() or 1
    requests_per_second: Annotated[PositiveFloat, Field(description="Most requests a second to one host.")] = 1.0
    probes_per_second: Annotated[
        PositiveFloat, Field(description="Most requests a second to one host while looking at links.")
    ] = 10.0
    timeout: Annotated[PositiveFloat, Field(description="Seconds to wait for a host to answer.")] = 30.0
    max_wait: Annotated[
        PositiveFloat, Field(description="Longest Retry-After to sit out, in seconds; beyond it a run stops and says.")
    ] = 120.0
    byte_budget: Annotated[PositiveInt, Field(description="Most bytes that one run downloads.")] = 500 * 10**9
    paper_byte_budget: Annotated[PositiveInt, Field(description="Most bytes downloaded for one paper.")] = 100 * 10**9
    repository_bytes: Annotated[
        PositiveInt, Field(description="Most bytes that a clone of a repository may take on the disk.")
    ] = 20 * 10**9
    archive_depth: Annotated[PositiveInt, Field(description="Deepest nesting of archives that is unpacked.")] = 4
    archive_files: Annotated[
        PositiveInt, Field(description="Most entries of an archive with all that are nested in it, or of a repository.")
    ] = 100_000
    archive_bytes: Annotated[
        PositiveInt, Field(description="Most bytes that an archive with all that are nested in it unpacks to.")
    ] = 200 * 10**9
    archive_ratio: Annotated[
        PositiveFloat, Field(description="Most times its own size that an archive unpacks to, beyond 64 MiB.")
    ] = 200.0
    inspect_seconds: Annotated[
        PositiveFloat, Field(description="Longest that the look into one file of an inventory may take.")
    ] = 60.0
    model_provider: Annotated[
        ModelProvider, Field(description="Protocol that the language model's service speaks.")
    ] = "anthropic"
    model: Annotated[str, Field(description="Name of the language model, as its service calls it.")] = (
        "claude-sonnet-5-5"
    )
    model_url: Annotated[
        str,
        Field(
            description="Base address of the model's service, as http://localhost:8000/v1; empty for the provider's."
        ),
    ] = ""
    model_key: Annotated[
        str,
        Field(description="Key of the model's service; else ANTHROPIC_API_KEY or OPENAI_API_KEY is taken.", repr=False),
    ] = ""
    model_price: Annotated[
        str,
        Field(
            description="US dollars a million tokens, in and out, as 3/15 (0/0 where nothing is charged); empty goes "
            "by the price list that is installed."
        ),
    ] = ""
    model_timeout: Annotated[PositiveFloat, Field(description="Seconds to wait for a model's answer.")] = 180.0
    model_concurrency: Annotated[PositiveInt, Field(description="Questions put to models at the same time.")] = 4
    model_answer_tokens: Annotated[PositiveInt, Field(description="Most tokens of one answer of a model.")] = 4_000
    model_paper_tokens: Annotated[
        PositiveInt, Field(description="Most tokens, about, of a paper's text that one question holds.")
    ] = 25_000
    cost_budget: Annotated[PositiveFloat, Field(description="Most US dollars that one run spends on models.")] = 20.0
    paper_cost_budget: Annotated[
        PositiveFloat, Field(description="Most US dollars that one run spends on models for one paper.")
    ] = 1.0
    token_budget: Annotated[
        PositiveInt, Field(description="Most tokens, in and out, that one run spends on models.")
    ] = 20_000_000
    paper_token_budget: Annotated[
        PositiveInt, Field(description="Most tokens, in and out, that one run spends on models for one paper.")
    ] = 400_000

    decider: Annotated[DeciderName, Field(description="Who takes judgements.")] = "rules"
    deciders: Annotated[
        dict[str, DeciderName],
        NoDecode,
        Field(description="Who takes those of single rules, as '1.1=llm 3.1=rules'; the others are the decider's."),
    ] = Field(default_factory=dict)
    second_opinion: Annotated[
        bool,
        Field(description="Whether papers that pass are read again for a reason to reject; then a person decides."),
    ] = False
    guidance_opinion: Annotated[
        bool,
        Field(description="Whether check C2.5 asks the language model about what could be advice or description."),
    ] = False
    probe_links: Annotated[bool, Field(description="Whether screening looks at links; else it goes by the text.")] = (
        True
    )
    probe_max_age: Annotated[
        PositiveFloat, Field(description="Seconds for which what was seen at a link is believed; a week by default.")
    ] = 7 * 86_400.0
    sandbox: Annotated[
        SandboxName,
        Field(description="What runs foreign code; auto takes Docker, else bubblewrap, never a bare process."),
    ] = "auto"
    task_runner: Annotated[
        TaskRunnerName, Field(description="What runs a flow's tasks; dask and ray come by make dask, make ray.")
    ] = "threads"
    prefect_api_url: Annotated[
        str, Field(description="Address of a Prefect API for flows to report to; empty for a local server of ours.")
    ] = ""

    @field_validator("home")
    @classmethod
    def _make_absolute(cls, value: Path) -> Path:
        return value.expanduser().absolute()

    @field_validator(
        "openalex_url", "article_url", "europepmc_url", "github_url", "gitlab_url", "zenodo_url", "figshare_url",
        "huggingface_url",
    )  # fmt: skip
    @classmethod
    def _check_addresses(cls, value: str) -> str:
        return _check_address(value)

    @field_validator("deciders", mode="before")
    @classmethod
    def _parse_deciders(cls, value: Any) -> Any:
        """``1.1=llm 3.1=rules`` as a mapping; commas do as well as blanks."""
        if not isinstance(value, str):
            return value
        pairs = [pair.partition("=") for pair in value.replace(",", " ").split()]
        unknown = [rule for rule, _, _ in pairs if not re.fullmatch(r"0|[1-3]\.[1-6]", rule)]
        if unknown:
            raise ValueError(f"there is no rule {unknown[0]!r}")
        return {rule: name for rule, _, name in pairs}

    @field_validator("model_price")
    @classmethod
    def _check_price(cls, value: str) -> str:
        if value and not re.fullmatch(r"\d+(?:\.\d+)?/\d+(?:\.\d+)?", value):
            raise ValueError("two prices are meant, in and out, as 3/15")
        return value

    @field_validator("mirror", "model_url", "prefect_api_url")
    @classmethod
    def _check_optional_addresses(cls, value: str) -> str:
        return _check_address(value) if value else ""

    @property
    def papers(self) -> Path:
        """Folder of the paper folders."""
        return self.home / "papers"

    @property
    def runs(self) -> Path:
        """Folder of the run folders."""
        return self.home / "runs"

    @property
    def packages(self) -> Path:
        """Folder of the packages that are built here."""
        return self.home / "packages"

    @property
    def store(self) -> Path:
        """Root of the content-addressed store."""
        return self.home / "store"

    @property
    def database(self) -> str:
        """The database's address, the default filled in."""
        return self.database_url or f"sqlite:///{self.home / 'naturegym.db'}"

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,  # noqa: ARG003 -- pydantic-settings passes all four by name
        file_secret_settings: PydanticBaseSettingsSource,  # noqa: ARG003
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        path = config_path()
        file = TomlConfigSettingsSource(settings_cls, path) if path.is_file() else None
        return tuple(source for source in (init_settings, env_settings, file) if source is not None)


def config_path() -> Path:
    """The settings file that is read, whether or not it exists."""
    return Path(os.environ.get(CONFIG_VARIABLE) or DEFAULT_CONFIG)


def load_settings(**overrides: Any) -> Settings:
    """The settings in force; ``overrides`` win over variables and file.

    Raises UsageError that names the setting, where it was set, and what is wrong with it.
    """
    path = config_path()
    if path.exists() and not path.is_file():
        raise UsageError(f"the settings file {path} is not a file", hint=f"Name another in {CONFIG_VARIABLE}.")
    if os.environ.get(CONFIG_VARIABLE) and not path.exists():
        raise UsageError(f"the settings file {path} does not exist", hint=f"Correct or unset {CONFIG_VARIABLE}.")
    try:
        return Settings(**overrides)
    except ValidationError as error:
        raise UsageError(_explain(error), hint="'naturegym settings' lists every setting with its meaning.") from error
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}", hint="Make it readable.") from error
    except ValueError as error:  # the TOML file is not TOML
        raise UsageError(
            f"{config_path()}: {error}", hint="Mend the file; it is TOML, one 'name = value' a line."
        ) from (error)


def unknown_variables() -> list[str]:
    """``NATUREGYM_*`` variables that no setting reads: most often a slip of the pen."""
    known = {PREFIX + name.upper() for name in Settings.model_fields} | {CONFIG_VARIABLE}
    return sorted(name for name in os.environ if name.startswith(PREFIX) and name.upper() not in known)


def _explain(error: ValidationError) -> str:
    """One line a fault: where the value came from, and what is wrong with it."""
    lines = []
    for fault in error.errors(include_url=False):
        name = ".".join(map(str, fault["loc"]))
        variable = PREFIX + name.upper()
        origin = variable if os.environ.get(variable) else f"{config_path()}: {name}"
        message = fault["msg"]
        if message[1:2].islower():  # "Input should...", but not "URL scheme..."
            message = message[0].lower() + message[1:]
        lines.append(f"{origin}: {message}")
    return "; ".join(lines)


def describe(settings: Settings) -> list[dict[str, Any]]:
    """Each setting as ``{"name", "value", "origin", "meaning"}``; secrets are shown as set or not, never in full."""
    path = config_path()
    in_file = tomllib.loads(path.read_text()) if path.is_file() else {}
    rows = []
    for name, field in type(settings).model_fields.items():
        value = getattr(settings, name)
        if not field.repr:
            value = "(set)" if value else ""
        elif name == "database_url":
            value = hide_password(settings.database)
        elif isinstance(value, str):
            value = hide_password(value)
        variable = PREFIX + name.upper()
        origin = variable if os.environ.get(variable) else str(path) if name in in_file else "default"
        rows.append(
            {
                "name": name,
                "value": str(value) if isinstance(value, Path) else value,
                "origin": origin,
                "meaning": field.description or "",
            }
        )
    return rows


def hide_password(url: str) -> str:
    """An address fit to be shown: without the password that it may hold, before its host or in its query.

    >>> hide_password("postgresql+psycopg://gym:secret@localhost/gym?sslpassword=more")
    'postgresql+psycopg://gym:***@localhost/gym?sslpassword=***'
    """
    url = re.sub(r"(://[^/:@]*):.*@", r"\1:***@", url)
    return re.sub(r"([?&][^=&]*(?:pass|pw|secret|token|key)[^=&]*=)[^&]*", r"\1***", url, flags=re.IGNORECASE)

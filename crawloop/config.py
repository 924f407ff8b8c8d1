"""crawloop.toml → Settings. Unknown keys and wrong types are errors that name the file, the key and the remedy."""

from __future__ import annotations

import dataclasses
import difflib
import math
import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar, get_type_hints

from crawloop.errors import ConfigError
from crawloop.model.policy import ArchiveRules, Budget, FetchRules, NotifyRules, Policy, RenderRules, SandboxRules

FILE = "crawloop.toml"
_IN_WORDS: dict[type, str] = {
    str: "text",
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    dict: "a section",
}
_SECRETS: dict[type, tuple[str, ...]] = {  # never shown, also if mistyped
    FetchRules: ("fetch.proxy",),
    NotifyRules: ("notify.webhook", "notify.key", "notify.slack"),
}

T = TypeVar("T")
R = TypeVar("R", FetchRules, NotifyRules)


@dataclass(frozen=True, slots=True)
class ModelRules:
    """`tiers` go from cheap to strong. `prices` are dollars per million tokens: {name: {input, output}}."""

    tiers: tuple[str, ...] = ()
    base_url: str | None = None
    timeout: float = 60.0
    max_tokens: int = 8_000
    redact: tuple[str, ...] = ()
    prices: Mapping[str, Mapping[str, float]] = dataclasses.field(default_factory=dict)

    def __post_init__(self) -> None:
        for model, price in self.prices.items():
            is_whole = isinstance(price, Mapping) and set(price) == {"input", "output"}
            if not is_whole or not all(isinstance(one, int | float) and one >= 0 for one in price.values()):
                raise ConfigError(f"models.prices.{model} is {price!r}: use {{ input = 0.4, output = 1.6 }}")


@dataclass(frozen=True, slots=True)
class Places:
    """Where the workspace keeps things; relative paths are relative to its folder."""

    registry: str = "registry.db"
    schemas: str = "schemas"
    fixtures: str = "fixtures"
    archive: str = "archive"
    cache: str = ".cache"


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything that crawloop.toml can say."""

    policy: Policy = Policy()  # noqa: RUF009 - frozen
    fetch: FetchRules = FetchRules()  # noqa: RUF009 - frozen
    models: ModelRules = ModelRules()
    places: Places = Places()
    archive: ArchiveRules = ArchiveRules()  # noqa: RUF009 - frozen
    render: RenderRules = RenderRules()  # noqa: RUF009 - frozen
    sandbox: SandboxRules = SandboxRules()  # noqa: RUF009 - frozen
    notify: NotifyRules = NotifyRules()  # noqa: RUF009 - frozen


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOptions:
    """What a person says of one run; None leaves it to crawloop.toml."""

    examples: Path | None = None
    archive: Path | None = None
    models: tuple[str, ...] = ()
    no_llm: bool = False
    samples: int | None = None
    min_oracles: int | None = None
    rounds: int | None = None
    candidates: int | None = None
    budget: float | None = None

    def over(self, policy: Policy) -> Policy:
        """The policy with what was said here. Raises ConfigError where the two contradict each other."""
        said: dict[str, object] = {"samples": self.samples, "min_oracles": self.min_oracles}
        said |= {"max_rounds": self.rounds, "candidates": self.candidates, "models": self.models or None}
        if self.no_llm and self.models:
            raise ConfigError(f"--no-llm and --model {self.models[0]} contradict each other: leave one of them out")
        if self.no_llm:
            said["models"] = ()
        if self.budget is not None:
            said["budget"] = replace(policy.budget, dollars=self.budget)
        changes = {name: value for name, value in said.items() if value is not None}
        if self.samples is not None and self.min_oracles is None:
            changes["min_oracles"] = min(policy.min_oracles, self.samples)
        if self.min_oracles is not None and self.samples is None:
            changes["samples"] = max(policy.samples, self.min_oracles)
        return policy.evolve(**changes)


def find_workspace(start: Path) -> Path:
    """The nearest folder upward that holds crawloop.toml, registry.db or schemas/, else `start` itself."""
    for folder in (start, *start.parents):
        if any((folder / name).exists() for name in (FILE, "registry.db", "schemas")):
            return folder
    return start


def workspace_folder(folder: Path | None) -> Path:
    """The folder that was named, else the workspace around the current folder. Raises ConfigError."""
    if folder is None:
        return find_workspace(Path.cwd())
    if not folder.is_dir():
        raise ConfigError(f"--workspace {folder}: no such folder; make it, or run `crawloop init {folder}`")
    return folder.resolve()


def registry_url(home: Path, settings: Settings) -> str:
    """The URL of a workspace's registry."""
    place = settings.places.registry
    return place if "://" in place else f"sqlite:///{home / place}"


def read_settings(folder: Path) -> Settings:
    """The settings of a workspace; the defaults where it has no crawloop.toml. Raises ConfigError."""
    file = folder / FILE
    if not file.exists():
        return Settings()
    try:
        document = tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigError(
            f"{file}: cannot be read ({error.strerror}): check what it is, and its permissions"
        ) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise ConfigError(f"{file}: not valid TOML: {error}") from error
    return _settings(file, document)


def _settings(file: Path, document: dict[str, Any]) -> Settings:
    sections = {"policy", "fetch", "models", "places", "archive", "render", "sandbox", "notify"}
    for name in document:
        if name not in sections:
            raise ConfigError(f"{file}: unknown section [{name}]{_near(name, sections)}")
        if not isinstance(document[name], dict):
            raise ConfigError(f"{file}: {name} is {document[name]!r}: make it a section, [{name}]")
    policy = dict(document.get("policy", {}))
    budget = _section(file, "policy.budget", Budget, policy.pop("budget", {}))
    models = _section(file, "models", ModelRules, document.get("models", {}))
    if "models" in policy:
        raise ConfigError(f"{file}: policy.models is set by the key tiers in section [models]")
    return Settings(
        policy=_section(file, "policy", Policy, {**policy, "models": models.tiers, "budget": budget}),
        fetch=_section(file, "fetch", FetchRules, document.get("fetch", {})),
        models=models,
        places=_section(file, "places", Places, document.get("places", {})),
        archive=_section(file, "archive", ArchiveRules, document.get("archive", {})),
        render=_section(file, "render", RenderRules, document.get("render", {})),
        sandbox=_section(file, "sandbox", SandboxRules, document.get("sandbox", {})),
        notify=_section(file, "notify", NotifyRules, document.get("notify", {})),
    )


def _section(file: Path, name: str, shape: type[T], values: Any) -> T:
    if not isinstance(values, dict):
        raise ConfigError(f"{file}: {name} is {values!r}: make it a section, [{name}]")
    hints = get_type_hints(shape)
    for key, value in values.items():
        if key not in hints:
            raise ConfigError(f"{file}: unknown key {name}.{key}{_near(key, hints)}")
        values = {**values, key: _typed(file, f"{name}.{key}", hints[key], value)}
    try:
        return shape(**values)
    except ConfigError as error:
        raise ConfigError(f"{file}: {error}") from error


def _typed(file: Path, key: str, hint: Any, value: Any) -> Any:
    text = str(hint)
    if "tuple[str" in text:
        if not (isinstance(value, list | tuple) and all(isinstance(v, str) for v in value)):
            raise ConfigError(f'{file}: {key} is {value!r}: use a list of names, as in ["a", "b"]')
        return tuple(value)
    accepted: tuple[type, ...] = (object,)
    if "Mapping[" in text:
        accepted = (dict,)
    elif hint is str or "str |" in text:
        accepted = (str,)
    elif hint is bool:
        accepted = (bool,)
    elif hint is int or "int |" in text:
        accepted = (int,)
    elif hint is float or "float |" in text:
        accepted = (int, float)
    is_endless = isinstance(value, float) and not math.isfinite(value)
    is_truth = isinstance(value, bool) and hint is not bool  # which Python takes for a number
    if is_truth or is_endless or not isinstance(value, accepted):
        wanted = _IN_WORDS[accepted[-1]]
        said = "not a text" if any(key in secrets for secrets in _SECRETS.values()) else repr(value)
        raise ConfigError(f"{file}: {key} is {said}: use {wanted}")
    return value


def revealed(rules: R, environment: Mapping[str, str]) -> R:
    """The rules with every "env:NAME" read from the environment. Raises ConfigError for a variable that is not set."""
    return _revealed(rules, _SECRETS[type(rules)], environment)


def reachable(rules: NotifyRules, environment: Mapping[str, str], warn: Callable[[str], None]) -> NotifyRules:
    """The rules with every "env:NAME" read. A channel whose secrets cannot be had is left out, and warned of."""
    for keys in (("notify.webhook", "notify.key"), ("notify.slack",)):
        try:
            rules = _revealed(rules, keys, environment)
        except ConfigError as why:
            warn(f"{why}; nothing is sent there")
            left_out: dict[str, Any] = {key.rpartition(".")[2]: None for key in keys}
            rules = replace(rules, **left_out)
    return rules


def _revealed(rules: R, keys: Iterable[str], environment: Mapping[str, str]) -> R:
    found: dict[str, Any] = {}
    for key in keys:
        name = key.rpartition(".")[2]
        value = getattr(rules, name)
        if value is not None and value.startswith("env:"):
            variable = value.removeprefix("env:")
            if not environment.get(variable):
                raise ConfigError(f"{key} is in the variable {variable}, which is not set: set it, or remove the key")
            found[name] = environment[variable]
    return replace(rules, **found)


def _near(name: str, there: Any) -> str:
    near = difflib.get_close_matches(name, list(there), n=1, cutoff=0.5)
    return f": did you mean {near[0]}?" if near else f"; there are {', '.join(sorted(there))}"

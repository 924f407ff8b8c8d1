"""Everything that crawloop raises on purpose.

CrawloopError
├── UserError            a person's mistake: names the file, field or option and the remedy (exit 2)
│   ├── ConfigError      crawloop.toml or an option
│   ├── SchemaError      a schema that does not import or resolve
│   ├── ExampleError     a labelled example that is malformed or contradicts the schema
│   ├── UnknownFamily    no such family, or one that exists already
│   └── FamilyBusy       another process regenerates this family
├── RegistryError        the registry is corrupt, full or of another epoch
├── FetchError           a page could not be had
│   ├── AnswerLost       the connection broke, or the page came cut off; asking again may help
│   ├── HostNotAllowed   nobody named the host, or its address is a private one; it was not asked
│   ├── PageForbidden    robots.txt does not allow it
│   └── PageRefused      a page that is too large or nested too deeply to be parsed safely
├── SandboxError         a program did not end well
│   ├── ProgramRefused   the static check said no: rule and line
│   ├── ProgramFailed    it raised: exception, message, line
│   └── SandboxTimeout   the deadline passed
├── OracleRefused        part of the work: no truth for this page
├── StrategyDeclined     part of the work: this strategy has no candidate
│   └── NothingChosen    a model was offered some, and chose none of them
└── CompletionError      a model could not be asked or answered with an error
    ├── NoAnswer         part of the work: it answered, and that does not count: cut off, refused or empty
    └── BudgetSpent      the call that would break the budget is not made
"""

from __future__ import annotations


class CrawloopError(Exception):
    """Something went wrong inside crawloop."""

    def __init__(self, message: str | None = None) -> None:
        super().__init__(message or type(self).__doc__)


class UserError(CrawloopError):
    """The input, an option or the configuration cannot be used as it is."""


class ConfigError(UserError):
    """The configuration cannot be used as it is."""


class SchemaError(UserError):
    """The schema cannot be loaded."""


class ExampleError(UserError):
    """A labelled example cannot be used as it is."""


class UnknownFamily(UserError):
    """There is no such family in this workspace."""


class FamilyBusy(UserError):
    """Another process is regenerating this family."""


class RegistryError(CrawloopError):
    """The registry cannot be read or written."""


class FetchError(CrawloopError):
    """The page could not be fetched."""


class AnswerLost(FetchError):
    """The answer did not come whole."""


class HostNotAllowed(FetchError):
    """The host is not among those that may be asked."""


class PageForbidden(FetchError):
    """The site's robots.txt does not allow the page."""


class PageRefused(FetchError):
    """The page is too large or nested too deeply to be parsed safely."""


class SandboxError(CrawloopError):
    """The program did not end well in the sandbox."""


class ProgramRefused(SandboxError):
    """The static check refused the program."""


class ProgramFailed(SandboxError):
    """The program raised an exception."""


class SandboxTimeout(SandboxError):
    """The program did not finish before its deadline."""


class OracleRefused(CrawloopError):
    """No truth can be established for this page."""


class StrategyDeclined(CrawloopError):
    """This strategy has no candidate to propose."""


class NothingChosen(StrategyDeclined):
    """The model chose none of what it was offered."""


class CompletionError(CrawloopError):
    """The model could not be asked, or its provider answered with an error."""


class NoAnswer(CompletionError):
    """The model was asked, and what it said is no answer: cut off, refused or empty."""


class BudgetSpent(CompletionError):
    """The next call would break the budget."""


def how_to_install(extra: str) -> str:
    """The remedy where an optional part is missing; ours is on no index, so it comes from the clone or a wheel."""
    return f"pip install '.[{extra}]' from the clone, or add [{extra}] to the name of the wheel"

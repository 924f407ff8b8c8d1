"""The command line: a lazy group, and the one place where an ending becomes an exit code.

0 done · 1 a fault of ours · 2 usage, configuration or bad input · 3 escalated · 4 some pages drifted or failed ·
130 interrupted. `crawloop --help` imports no command's module: the index below holds their first lines.
"""

from __future__ import annotations

import errno
import importlib
from collections.abc import Sequence
from pathlib import Path

import click

from crawloop import __version__
from crawloop.errors import CrawloopError
from crawloop.shape import shown

# name → (module, one line of help)
COMMANDS = {
    "init": ("workspace", "Write a workspace: crawloop.toml and the folders beside it."),
    "bootstrap": ("regenerate", "Make the first version of a new family."),
    "regen": ("regenerate", "Regenerate the extractor of a family that exists."),
    "crawl": ("crawl", "Extract pages with a family's ladder of versions."),
    "families": ("ladder", "List the families of this workspace."),
    "versions": ("ladder", "List a family's versions."),
    "show": ("ladder", "Show a version: its program, fields, notes."),
    "diff": ("ladder", "Compare two versions' programs."),
    "rollback": ("ladder", "Make another version the active one."),
    "forget": ("forget", "Delete a family and all that is known of it."),
    "audit": ("audit", "What happened, and why."),
    "spend": ("spend", "What models were asked, and what it cost."),
    "doctor": ("doctor", "What this machine gives: sandbox, keys, models, database."),
    "demo": ("demo", "The whole story on a bundled shop, with no key."),
}

_ROOM, _RIGHT = "make room and run again; nothing is half-written", "check its permissions"
_REMEDIES = {
    errno.ENOSPC: _ROOM,
    errno.EDQUOT: _ROOM,
    errno.EFBIG: _ROOM,
    errno.EACCES: _RIGHT,
    errno.EPERM: _RIGHT,
    errno.EROFS: _RIGHT,
}


class LazyGroup(click.Group):
    """Imports a command's module only when that command is used."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(f"crawloop.cli.{COMMANDS[cmd_name][0]}")
        command = getattr(module, cmd_name)
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, line) in COMMANDS.items()])


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="crawloop")
@click.option("--workspace", "folder", type=click.Path(file_okay=False, path_type=Path), help="Folder to work in.")
@click.pass_context
def crawloop(ctx: click.Context, folder: Path | None) -> None:
    """Self-healing web extractors: learnt from pages, checked, versioned, regenerated when a site changes."""
    ctx.obj = folder


def run(arguments: Sequence[str]) -> int:
    """Runs one command and returns its exit code. Every message of an error goes to stderr."""
    try:
        code = crawloop.main(list(arguments), prog_name="crawloop", standalone_mode=False)
        return code if isinstance(code, int) else 0
    except (click.exceptions.Abort, KeyboardInterrupt):
        click.echo("crawloop: interrupted; nothing is half-written, the next run takes up where this one was", err=True)
        return 130
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except CrawloopError as error:
        click.echo(f"crawloop: {shown(str(error))}", err=True)
        return 2
    except SystemExit:
        return 0  # how click ends where the reader of a pipe has gone away
    except OSError as error:
        return _refused(error)
    except Exception as error:  # noqa: BLE001 - the outermost place: told to the user with the place of the report
        return _fault(error)


def _refused(error: OSError) -> int:
    """What the machine refused: no room, no permission."""
    if error.errno not in _REMEDIES:
        return _fault(error)
    where = f"{error.filename}: " if error.filename else ""
    click.echo(f"crawloop: {where}{error.strerror}: {_REMEDIES[error.errno]}", err=True)
    return 2


def _fault(error: Exception) -> int:
    import tempfile
    import traceback

    with tempfile.NamedTemporaryFile("w", prefix="crawloop-fault-", suffix=".txt", delete=False) as report:
        traceback.print_exception(error, file=report)
    click.echo(f"crawloop: a fault of ours: {type(error).__name__}: {error}", err=True)
    click.echo(f"The report was written to {report.name}; nothing of yours was lost.", err=True)
    return 1

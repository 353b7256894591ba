"""Run the demo: `python -m tools.demo [FOLDER]`."""

import errno
import os
import signal
import sqlite3
import sys
from pathlib import Path
from types import FrameType
from typing import NoReturn

from tools.demo.demo_error import DemoError
from tools.demo.folder import TOP, Folder
from tools.demo.screen import Screen, screen
from tools.demo.story import Story

_BROKEN_PIPE = 141


def main(arguments: list[str]) -> int:
    """Run the demo in the folder that is named, or in build/demo. Return the exit code."""
    for number in (signal.SIGINT, signal.SIGTERM):  # a shell hides the first from what runs behind it
        signal.signal(number, _stop)
    sys.stdout.reconfigure(errors="replace")  # type: ignore[union-attr]
    folder = Folder(Path(arguments[0]) if arguments else TOP / "build" / "demo")
    shown = screen()
    story = Story(folder, shown)
    try:
        with folder.locked():
            story.tell()
    except KeyboardInterrupt as stop:
        return _stopped(shown, folder, stop)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # nobody reads on; the end of Python must not complain
        return _BROKEN_PIPE
    except DemoError as error:
        return _failed(shown, folder, story.step, error)
    except (OSError, sqlite3.Error) as error:
        return _failed(shown, folder, story.step, _in_words(error, folder))
    return 0


def _stop(number: int, _: FrameType | None) -> NoReturn:
    raise KeyboardInterrupt(number)


def _stopped(shown: Screen, folder: Folder, stop: KeyboardInterrupt) -> int:
    shown.progress.end()
    shown.blank()
    shown.paragraph(f"The demo was stopped, and what it had started has ended. What it left is in {folder.name}.")
    return 128 + int(stop.args[0])


def _in_words(error: OSError | sqlite3.Error, folder: Folder) -> DemoError:
    if isinstance(error, OSError) and error.errno == errno.ENOSPC:
        return DemoError(f"the disk of {folder.name} is full.")
    return DemoError(f"{error} (in {folder.name})")


def _failed(shown: Screen, folder: Folder, step: str, error: DemoError) -> int:
    shown.progress.end()
    sys.stdout.flush()
    message = [f'The demo FAILED in the step "{step}":', f"    {error.reason}", *(f"    {line}" for line in error.lines)]
    if error.log:
        message.append(f"All that was printed there: {folder.name}/{error.log.name}")
    print("", *message, sep="\n", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

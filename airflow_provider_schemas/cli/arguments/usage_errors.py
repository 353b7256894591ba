"""A line that cannot be read: what is wrong with it, and what to type instead. The words of argparse become sentences of ours."""

import re
from argparse import Action, ArgumentParser, Namespace
from collections.abc import Callable, Iterable, Mapping, Sequence
from shlex import quote
from typing import Any, Final, NamedTuple

# What people type for an option of ours, where the command has it.
_MEANT: Final[Mapping[str, str]] = {
    "-n": "--dry-run",
    "--plan": "--dry-run",
    "--check": "--dry-run",
    "--dry": "--dry-run",
    "--dryrun": "--dry-run",
    "--noop": "--dry-run",
    "--no-op": "--dry-run",
    "--preview": "--dry-run",
    "--simulate": "--dry-run",
    "--what-if": "--dry-run",
    "--json": "--format json",
    "--markdown": "--format markdown",
    "--output-format": "--format",
    "-f": "--format",
    "-v": "--verbose",
    "-q": "--quiet",
    "--silent": "--quiet",
    "--url": "--store",
    "--warehouse": "--store",
    "--root": "--store",
    "--connection": "--conn",
    "--conn-id": "--conn",
    "--connection-id": "--conn",
    "--readonly": "--read-only",
    "--no-colour": "--no-color",
    "--add-column": "--add",
    "--drop-column": "--drop",
    "--rename-column": "--rename",
    "--alter-column": "--type",
    "--message": "--reason",
    "-m": "--reason",
    "--force": "--override",
    "--approve": "--approved-by",
    "--approved": "--approved-by",
    "--job": "--for",
    "--consumer": "--for",
    "--against": "--base",
    "--yes": "--delete",
    "-y": "--yes",
    "--apply": "--delete",
    "-l": "--long",
}
_CLOSE: Final = 0.6
_MAX_CHOICES: Final = 20


class UsageError(NamedTuple):
    """What is wrong with a line, and what to do; a sentence each."""

    message: str
    fix: str


def near_names(word: str, known: Iterable[str], number: int = 1) -> list[str]:
    """Return the known words that are nearly this one, or that begin with it."""
    from difflib import get_close_matches

    words = list(known)
    folded = {name.lower(): name for name in reversed(words)}
    begun = [name for name in words if len(word) > 2 and name.lower().startswith(word.lower())]
    similar = [folded[match] for match in get_close_matches(word.lower(), folded, number, _CLOSE)]
    return list(dict.fromkeys((*begun, *similar)))[:number]


def did_you_mean(names: Sequence[str]) -> str:
    """Write the question about names that may be meant; empty where there are none."""
    return f"Did you mean {' or '.join(names)}?" if names else ""


def own_options(parser: ArgumentParser) -> dict[str, Action]:
    """Return the options of a parser by each of their names."""
    return dict(parser._option_string_actions)


# ---------------------------------------------------------------- words that nothing takes


def about_unknown(parser: ArgumentParser, words: Sequence[str], example: str) -> UsageError:
    """Explain words that the parser does not know; options among them come first, since what follows them may be their values."""
    typed = [word for word in words if word.startswith("-") and word != "-"]
    if not typed:
        return UsageError(
            f"{words[0]!r} is one word too many.", f"{_write(example)} A name or a change with blanks in it stands in quotes."
        )
    options = list(dict.fromkeys(option.partition("=")[0] for option in typed))
    message = f"there is no option {options[0]}." if len(options) == 1 else f"there are no options {', '.join(options)}."
    return UsageError(message, " ".join(dict.fromkeys(_option_instead(parser, option) for option in options)))


def _option_instead(parser: ArgumentParser, option: str) -> str:
    """Write which option may be meant."""
    options = own_options(parser)
    meant = _MEANT.get(option, "")
    if meant.partition(" ")[0] in options:
        return f"Did you mean {_with_value(options, meant)}?"
    if "--dry-run" in (option, meant):
        return f"Leave it out: {parser.prog} writes nothing to a store."
    # The dashes are no likeness.
    names = near_names(option.lstrip("-"), [name.removeprefix("--") for name in options if name.startswith("--")], 2)
    if names:
        return did_you_mean([_with_value(options, f"--{name}") for name in names])
    return _see_help(parser)


def _with_value(options: Mapping[str, Action], text: str) -> str:
    """Write an option with the word that stands for its value."""
    action = options.get(text)
    if action is None or action.nargs == 0:
        return text
    return f"{text} {_value_of(action)}"


def _value_of(action: Action) -> str:
    if isinstance(action.metavar, str):
        return action.metavar
    if action.choices is not None:
        return "|".join(map(str, action.choices))
    return action.dest.upper()


# ---------------------------------------------------------------- the words of argparse

_MISSING: Final = re.compile(r"the following arguments are required: (?P<names>.+)", re.DOTALL)
_ARGUMENT: Final = re.compile(r"argument (?P<name>.+?): (?P<text>.+)", re.DOTALL)
_CHOICE: Final = re.compile(r"invalid choice: (?P<quote>['\"])(?P<word>.*?)(?P=quote) \(", re.DOTALL)
_NO_VALUE: Final = re.compile(r"expected (one argument|at least one argument|\d+ arguments?)")


def is_missing(message: str) -> bool:
    """Return whether argparse says that arguments are missing."""
    return _MISSING.fullmatch(message) is not None


def unknown_options(parser: ArgumentParser, words: Sequence[str]) -> list[str]:
    """Return the words that look like options of the parser, and are none."""
    known = own_options(parser)
    return [word for word in words if word.startswith("-") and word not in ("-", "--") and word.partition("=")[0] not in known]


def explain(parser: ArgumentParser, message: str, example: str) -> UsageError:
    """Explain what argparse says of a line; words that are not known here are kept."""
    missing = _MISSING.fullmatch(message)
    if missing:
        return _missing(missing["names"], example)
    about = _ARGUMENT.fullmatch(message)
    if about is None:
        return UsageError(_sentence(message), _see_help(parser))
    action = _action_called(parser, about["name"])
    for pattern, write in _KINDS:
        match = pattern.match(about["text"])
        if match and action is not None:
            return write(parser, action, match)
    return UsageError(_sentence(f"{about['name']}: {about['text']}"), _see_help(parser))


def _missing(names: str, example: str) -> UsageError:
    words = names.split(", ")
    verb = "is" if len(words) == 1 else "are"
    return UsageError(f"{' and '.join(words)} {verb} missing.", _write(example))


def _action_called(parser: ArgumentParser, name: str) -> Action | None:
    """Return the argument that argparse calls so: by its options, or by the word that stands for it."""
    for action in parser._actions:
        if name in ("/".join(action.option_strings), action.metavar, action.dest):
            return action
    return None


def _no_value(parser: ArgumentParser, action: Action, match: "re.Match[str]") -> UsageError:
    del parser, match
    option = action.option_strings[-1] if action.option_strings else _value_of(action)
    value = _value_of(action)
    return UsageError(f"{option} needs a value.", f"Write {option} {value}; or {option}={value}, where the value begins with a dash.")


def _no_choice(parser: ArgumentParser, action: Action, match: "re.Match[str]") -> UsageError:
    del parser
    known = list(map(str, action.choices or ()))
    option = "/".join(action.option_strings) or str(action.metavar or action.dest)
    listed = ", ".join(known[:_MAX_CHOICES])
    fix = f"{did_you_mean(near_names(match['word'], known))} There are: {listed}.".strip()
    return UsageError(f"{option} cannot be {match['word'][:60]!r}.", fix)


_KINDS: Final[Sequence[tuple[re.Pattern[str], Callable[[ArgumentParser, Action, Any], UsageError]]]] = (
    (_NO_VALUE, _no_value),
    (_CHOICE, _no_choice),
)


def _sentence(text: str) -> str:
    return text if text.endswith((".", "?")) else f"{text}."


def _write(example: str) -> str:
    return f"Write: {example}."


def _see_help(parser: ArgumentParser) -> str:
    return f"Type {parser.prog} --help."


# ---------------------------------------------------------------- commands

# What people call our commands.
_COMMANDS_MEANT: Final[Mapping[str, str]] = {
    "list": "ls",
    "tables": "ls",
    "databases": "ls",
    "describe": "show",
    "desc": "show",
    "get": "show",
    "cat": "show",
    "history": "log",
    "versions": "log",
    "annotate": "blame",
    "praise": "blame",
    "lineage": "who",
    "usage": "who",
    "compare": "diff",
    "export": "convert",
    "translate": "convert",
    "validate": "check",
    "verify": "check",
    "test": "check",
    "lint": "check",
    "doctor": "audit",
    "fsck": "audit",
    "preview": "plan",
    "dry-run": "plan",
    "alter": "evolve",
    "update": "evolve",
    "change": "evolve",
    "migrate": "evolve",
    "add": "evolve",
    "drop": "evolve",
    "rename": "evolve",
    "new": "create",
    "init": "create",
    "import": "adopt",
    "rollback": "restore",
    "revert": "restore",
    "undo": "restore",
    "gc": "expire",
    "clean": "expire",
    "vacuum": "expire",
    "prune": "expire",
    "register": "contract register",
    "publish": "contract register",
    "contracts": "contract list",
    "consumers": "contract list",
    "readers": "contract list",
    "suppress": "waive",
    "ignore": "waive",
    "accept": "waive",
    "allow": "waive",
    "option": "options",
    "completions": "completion",
    "autocomplete": "completion",
}


def about_command(word: str, known: Sequence[str], prog: str) -> UsageError:
    """Explain a word that stands where a command should."""
    message = f"there is no command {word[:60]!r}."
    meant = _COMMANDS_MEANT.get(word.lower())
    if meant:
        return UsageError(message, f"Did you mean {prog} {meant}?")
    names = near_names(word, known, 2)
    if names:
        return UsageError(message, did_you_mean([f"{prog} {name}" for name in names]))
    if "." in word:
        return UsageError(message, f"Write a command before it, as in: {prog} show {quote(word[:60])}.")
    return UsageError(message, f"The commands are listed by: {prog} --help.")


def parser_of_line(parser: ArgumentParser, args: Namespace) -> ArgumentParser:
    """Return the parser of the second verb that a line names, as of `contract register`; else the parser itself."""
    for action in parser._actions:
        chosen = getattr(args, action.dest, None) if isinstance(action.choices, Mapping) else None
        inner = action.choices.get(chosen) if isinstance(action.choices, Mapping) and chosen else None
        if isinstance(inner, ArgumentParser):
            return inner
    return parser

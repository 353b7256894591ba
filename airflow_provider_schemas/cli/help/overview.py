"""The commands by what people want: the first screen of the command line."""

from collections.abc import Iterator, Mapping
from typing import Final

_GROUPS: Final[Mapping[str, tuple[str, ...]]] = {
    "look": ("ls", "show", "log", "blame", "diff", "convert"),
    "judge": ("check", "plan", "audit", "explain"),
    "change": ("create", "adopt", "evolve", "apply", "restore", "mount"),
    "keep": ("bind", "expire"),
    "readers": ("who", "contract", "waive"),
}
_REST: Final = "more"


def listed(summaries: Mapping[str, str]) -> str:
    """Write the commands with their summaries, a line each, in groups; a command that no group names stands among the last."""
    groups = dict(_groups(summaries))
    width = max(map(len, groups)) + 3
    names = max(map(len, summaries)) + 2
    lines: list[str] = []
    for group, commands in groups.items():
        for place, name in enumerate(commands):
            title = group if place == 0 else ""
            lines.append(f"{title:<{width}}{name:<{names}}{summaries[name]}")
    return "\n".join(lines)


def _groups(summaries: Mapping[str, str]) -> Iterator[tuple[str, list[str]]]:
    left = list(summaries)
    for group, names in _GROUPS.items():
        commands = [name for name in names if name in summaries]
        left = [name for name in left if name not in commands]
        if commands:
            yield group, commands
    yield _REST, left

"""The message about a verdict or a change, made of what the task has put into XCom."""

import html
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from airflow_provider_schemas.render.escaping import code, prose
from airflow_provider_schemas.render.sanitize import clean
from airflow_provider_schemas.render.wording import counted
from airflow_provider_schemas.tasks.task_run import Run

Message = dict[str, Any]

KINDS = ("breaks", "warns", "fits", "changes")
_VERDICTS = {"break": "breaks", "invalid": "breaks", "warn": "warns", "ok": "fits"}
_MARKS = {"breaks": "✖", "warns": "!", "fits": "✔"}
_CHANGED = (("at", "at"), ("by", "by"), ("in", "run"), ("approved by", "approval"))
_BAD = ("break", "invalid")


class Line(NamedTuple):
    """A line of a message: how far it is moved in, words, and what stands beside them as it is."""

    indent: int
    words: str
    exact: str = ""


def message_of(said: Any, context: Mapping[str, Any]) -> Message | None:
    """The message; None if the task has said nothing of tables."""
    if not isinstance(said, Mapping):
        return None
    if isinstance(said.get("tables"), Mapping) and "verdict" in said:
        return _message(_VERDICTS.get(said["verdict"], "breaks"), list(_of_verdict(said)), said, context)
    if "table" in said and said.get("outcome") == "created":
        return _message("changes", list(_of_change(said)), said, context)
    return None


def _message(kind: str, lines: list[Line], said: Mapping[str, Any], context: Mapping[str, Any]) -> Message:
    lines += _about(context)
    text = "\n".join("  " * one.indent + " ".join(filter(None, [clean(one.words), clean(one.exact)])) for one in lines)
    about = {key: said[key] for key in ("tables", "table", "version", "previous", "changes", "approval") if key in said}
    run = _run(context)
    job = {"job": said.get("consumer") or (run.consumer if run else ""), "run": run.text if run else ""}
    bodies = {"title": clean(lines[0].words), "text": text, "markdown": _markdown(lines), "html": f"<pre>{html.escape(text)}</pre>"}
    return {"kind": kind, **bodies, **about, **job, "owners": _owners(said), "log_url": getattr(context.get("ti"), "log_url", "")}


def _markdown(lines: Iterable[Line]) -> str:
    title, *rest = lines
    told = [f"{'  ' * (one.indent - 1)}- {prose(one.words)}{f' {code(one.exact)}' if one.exact else ''}" for one in rest]
    return "\n".join([f"**{prose(title.words)}**", "", *told])


# ---------------------------------------------------------------- verdicts


def _of_verdict(said: Mapping[str, Any]) -> Iterator[Line]:
    yield Line(0, _title(said))
    for name, table in said["tables"].items():
        if _VERDICTS.get(table.get("verdict", ""), "breaks") != "fits":
            yield from _of_table(name, table)


def _title(said: Mapping[str, Any]) -> str:
    """The worst of it in one line."""
    job = said.get("consumer") or "this job"
    bad = {name: table for name, table in said["tables"].items() if not table.get("fits")}
    some = bad or {name: table for name, table in said["tables"].items() if table.get("verdict") == "warn"}
    if not some:
        return f"{', '.join(said['tables'])} fits {job}"
    name, table = next(iter(some.items()))
    findings = [one for one in _findings(table) if not bad or one.get("verdict") in _BAD]
    more = sum(len(_findings(one)) + one.get("more", 0) for one in some.values()) - 1
    worst = f": {findings[0].get('message', '')}".removesuffix(".") if findings else ""
    return f"{_versioned(name, table)} {'breaks' if bad else 'warns'} {job}{worst}{f' (+{more} more)' if more > 0 else ''}"


def _of_table(name: str, table: Mapping[str, Any]) -> Iterator[Line]:
    kind = _VERDICTS.get(table.get("verdict", ""), "breaks")
    owner = ", ".join(filter(None, [table.get("owner"), table.get("contact")]))
    yield Line(1, f"{_versioned(name, table)} {kind}{_changed(table.get('changed'))}{f'; owner {owner}' if owner else ''}")
    for one in _findings(table):
        mark = _MARKS[_VERDICTS.get(one.get("verdict", ""), "breaks")]
        yield Line(2, f"{mark} {one.get('message', '')}", one.get("rule", ""))
        if one.get("fix"):
            yield Line(3, one["fix"])
    if table.get("more"):
        yield Line(2, f"and {table['more']} more")


def _findings(table: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    return [one for one in table.get("findings") or () if isinstance(one, Mapping)]


def _versioned(name: str, table: Mapping[str, Any]) -> str:
    return name if table.get("version") is None else f"{name} v{table['version']}"


def _changed(about: Any) -> str:
    """Who changed it last, and when."""
    if not isinstance(about, Mapping):
        return ""
    said = [
        f"{word} {about[key]}" for word, key in (("at", "at"), ("by", "by"), ("in", "run"), ("approved by", "approval")) if about.get(key)
    ]
    return f", changed {' '.join(said)}" if said else ""


def _owners(said: Mapping[str, Any]) -> list[str]:
    """Who owns the tables, and where they are reached."""
    tables = said["tables"].values() if isinstance(said.get("tables"), Mapping) else [said]
    return list(dict.fromkeys(one[key] for one in tables for key in ("owner", "contact") if one.get(key)))


# ---------------------------------------------------------------- changes


def _of_change(said: Mapping[str, Any]) -> Iterator[Line]:
    changes, more = list(said.get("changes") or ()), said.get("more_changes") or 0
    steps = f"v{said.get('version')}" if said.get("previous") is None else f"v{said['previous']} -> v{said.get('version')}"
    yield Line(0, ", ".join([f"{said['table']} {steps}", *([counted(len(changes) + more, "change")] if changes else ["created"])]))
    for one in changes:
        yield Line(1, "", str(one))
    if more:
        yield Line(1, f"and {more} more")
    if said.get("approval"):
        yield Line(1, f"approved by {said['approval']}")
    for note in said.get("notes") or ():
        yield Line(1, str(note))


# ---------------------------------------------------------------- the task


def _run(context: Mapping[str, Any]) -> Run | None:
    return Run.of(context) if context.get("ti") is not None and context.get("task") is not None else None


def _about(context: Mapping[str, Any]) -> Iterator[Line]:
    """The task that says so, and whose it is."""
    if (run := _run(context)) is not None:
        yield Line(1, f"task {run.consumer}{f' of {run.owner}' if run.owner else ''}, run {run.run_id}")
    if url := getattr(context.get("ti"), "log_url", ""):
        yield Line(1, "log:", url)

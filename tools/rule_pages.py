"""One page about each rule of the judge, and a page that lists them all: made from the rules and from the cases that show them.

python -m tools.rule_pages      writes docs/rules anew, and what `airflow-schemas explain` tells (tools/explanations.py)
"""

import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from airflow_provider_schemas.core import Field, Finding, TableSchema, short_text
from airflow_provider_schemas.core.compatibility.broken_contracts import top
from airflow_provider_schemas.core.policies.severity import NOT_LOOKED_AT
from airflow_provider_schemas.core.report import Answers
from airflow_provider_schemas.core.rules import CATALOGUE, RULES, WAYS, Judges, Rule
from airflow_provider_schemas.core.schema.foreign_attributes import is_foreign
from airflow_provider_schemas.formats import yaml
from airflow_provider_schemas.render.explain.words import FAMILIES, LOOKED_AT, answers_of, has_questions
from airflow_provider_schemas.render.wording import MARKS
from airflow_provider_schemas.spark.validation.findings import TOO_FEW
from tests.cases.reading import QUESTIONS, Case, cases_of

ROOT = Path(__file__).parents[1]
FOLDER = "docs/rules"
COMMAND = "python -m tools.rule_pages"
UNTIL = "2026-12-31"
REASON = "INC-4711: agreed with team-bi"

_NAME = re.compile(r"\b[A-Z]+(?:_[A-Z]+)+\b")


def pages() -> dict[str, str]:
    """Every page, by its path from the top of the repository."""
    return {f"{FOLDER}/index.md": _index(), **{f"{FOLDER}/{rule.id}.md": _page(rule) for rule in CATALOGUE}}


def _joined(blocks: Iterable[str]) -> str:
    return "\n\n".join(blocks) + "\n"


# ---------------------------------------------------------------- the list


def _index() -> str:
    return _joined(_index_blocks())


def _index_blocks() -> Iterator[str]:
    yield "# Rules"
    yield (
        "This page lists everything that a check can find. Each rule has a stable id, which a finding carries, a policy names and a\n"
        "table file accepts, and a page of its own."
    )
    yield (
        "Three questions are asked of every change, the first of them twice: is old data readable where columns are found by field\n"
        "**id**, and where they are found by **name**; do old **readers** keep working; can old **writers** keep writing. ✔ is yes,\n"
        "⚠ is yes with an effect, ✖ is no, and ⛔ is a schema that is invalid, whatever a policy says. BACKWARD asks the first by\n"
        "id, FORWARD asks about readers, FULL asks both."
    )
    for letter, family in FAMILIES.items():
        yield f"## {family}"
        yield _table(("code", "rule", "what changed", "id", "name", "readers", "writers"), _rows(letter))
    yield "## Codes without a finding"
    yield "Ways to apply the rules above, at a place or to a kind of type:"
    yield _table(("code", "name", "comes out as"), ((code, f"`{name}`", says) for code, (name, says) in WAYS.items()))


def _rows(letter: str) -> Iterator[tuple[str, ...]]:
    for rule in CATALOGUE:
        if rule.code[0] == letter:
            yield (rule.code, f"[{rule.id}]({rule.id}.md)", rule.change, *_marks(rule.answers()))


def _marks(answers: Answers) -> tuple[str, ...]:
    return tuple(MARKS[getattr(answers, question)] for question in QUESTIONS)


def _table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    cells = [[cell.replace("|", "\\|") for cell in row] for row in rows]
    first = list(head)
    return "\n".join(f"| {' | '.join(row)} |" for row in [first, *cells]).replace("\n", f"\n|{'---|' * len(first)}\n", 1)


# ---------------------------------------------------------------- a page


def _page(rule: Rule) -> str:
    return _joined(_blocks(rule))


def _blocks(rule: Rule) -> Iterator[str]:
    shown = cases_of(rule.id)
    yield f"# {rule.id}"
    yield f"{rule.code}: {rule.change}. A check finds it by looking at {LOOKED_AT[rule.judges]}."
    if has_questions(rule):
        yield _questions(rule)
    yield f"**Why.** {_linked(rule, rule.why)}"
    if rule.fix and "{" not in rule.fix:
        yield f"**What to do.** {_linked(rule, rule.fix)}"
    if rule.id == "TABLE_INVALID":
        yield "The sentence of the finding says what is wrong; its code is explained in [errors](../reference/errors.md)."
    yield "## Example"
    yield from example(shown[0])
    if rule.id != "TABLE_INVALID":
        yield "## All cases"
        yield _cases(rule, shown)
    yield "## To accept it"
    yield from acceptance(rule, shown[0])
    yield f"This page is made of the rule and of [its cases](../../tests/cases/{rule.id}.yaml), each of which is a test."


def _linked(rule: Rule, text: str) -> str:
    """The text, with the rules that it names as links."""
    return _NAME.sub(lambda found: f"[{found[0]}]({found[0]}.md)" if found[0] in RULES and found[0] != rule.id else found[0], text)


def _questions(rule: Rule) -> str:
    return _table(("question", "answer"), answers_of(rule))


def _cases(rule: Rule, shown: Iterable[Case]) -> str:
    """What each case comes to, those of a file about something else left out."""
    rows = []
    for case in shown:
        way = next((code for code, (name, _) in WAYS.items() if name == case.file), "")
        if way or case.file == rule.id:
            effect = (case.effect.data, case.effect.jobs, case.effect.writers)
            name = f"{case.values['name']} ({way})" if way else case.values["name"]
            rows.append((name, *(MARKS[one] for one in effect), f"{MARKS[case.verdict]} {case.verdict}"))
    return _table(("case", "data", "readers", "writers", "verdict"), rows)


# ---------------------------------------------------------------- an example


def example(case: Case) -> Iterator[str]:
    yield _sentence(f"{case.values['name']}.")
    for title, lines in _material(case):
        yield f"{title}:"
        yield _text(lines)
    yield "The finding:"
    finding = case.finding(case.report())
    yield _text(_said(finding) if finding else [])


def _sentence(text: str) -> str:
    return text[0].upper() + text[1:]


def _text(lines: Iterable[str], language: str = "text") -> str:
    return "\n".join([f"```{language}", *lines, "```"])


def _material(case: Case) -> Iterator[tuple[str, list[str]]]:
    """What goes into the check, each with its title."""
    if case.judges is Judges.SOURCE:
        yield "The table file says", [f"{one['name']}: {one['type']}" for one in case.values["source"]]
        return
    if case.judges is Judges.STORE:
        yield "The version before", [_stored(case.values["before"])]
        yield "The version now", [_stored(case.values["after"])]
        return
    if "reason" in case.values:
        return
    if case.judges is Judges.DATA:
        yield from _data(case)
        return
    for number, one in enumerate(case.history):
        yield f"Schema {number}", _sql(one)
    if case.judges is not Judges.METADATA:
        yield from _step(case)


def _step(case: Case) -> Iterator[tuple[str, list[str]]]:
    """The table, or both sides of a change, with what else is asked about."""
    yield ("The table" if case.judges is Judges.CONTRACT else "Before"), _sql(case.before)
    if case.judges is Judges.CONTRACT:
        yield "The contract of the job", _yaml(case.values["contracts"][0])
    elif "changes" in case.values:
        yield "Changes", list(case.values["changes"])
    else:
        yield "After", _sql(case.after)
    for key, title in (("contracts", "Contracts"), ("evidence", "Evidence"), ("policy", "Policy")):
        if key in case.values and case.judges is not Judges.CONTRACT:
            yield title, _yaml(case.values[key])


def _data(case: Case) -> Iterator[tuple[str, list[str]]]:
    """What the data is, and what is expected of it."""
    yield "The columns of the data", [case.values["data"]]
    if case.contracts:
        yield "The contract of the job", _yaml(case.values["contracts"][0])
    else:
        yield "The table", _sql(case.before)


def _stored(source: Mapping[str, Any]) -> str:
    past = "".join(f", {key} {value}" for key, value in source.get("provenance", {}).items())
    branch = f", branch {source['branch']}" if "branch" in source else ""
    table = f", table id {source['table_id']}" if "table_id" in source else ""
    return f"number {source['number']}, digest {source['digest']}{table}{branch}{past}"


def _yaml(value: Any) -> list[str]:
    return yaml.write(value).rstrip("\n").splitlines()


def _sql(schema: TableSchema) -> list[str]:
    """The schema as people would declare it."""
    columns = [f"  {one.name} {one.type}{_extras(one.default, one.description)}" for one in schema.fields]
    lines = [f"{line}," for line in columns[:-1]] + columns[-1:]
    keys = [(word, names) for word, names in (("PRIMARY KEY", schema.primary_keys), ("PARTITIONED BY", schema.partition_keys)) if names]
    tail = [f"{word} ({', '.join(names)})" for word, names in keys]
    tail += [f"'{key}' = '{value}'" for key, value in schema.options.items()]
    tail += [f"COMMENT '{schema.comment}'"] if schema.comment else []
    return ["(", *lines, ")", *tail] if columns else ["()", *tail]


def _extras(default: str | None, comment: str | None) -> str:
    return (f" DEFAULT '{default}'" if default is not None else "") + (f" COMMENT '{comment}'" if comment else "")


def _said(finding: Finding) -> Iterator[str]:
    yield f"{MARKS[finding.verdict]} {finding.rule}  {finding.path}".rstrip()
    yield f"  {finding.message}"
    if finding.consumers:
        yield f"  breaks   {', '.join(one.name for one in finding.consumers)}"
    if finding.fix:
        yield f"  fix      {finding.fix}"
    for change in finding.changes:
        yield f"  undo it  {short_text(change)}"


# ---------------------------------------------------------------- acceptance


def acceptance(rule: Rule, case: Case) -> Iterator[str]:
    if rule.id == TOO_FEW:
        yield "No policy is asked about rows: pass a smaller `min_rows`, or none."
        return
    if rule.judges is Judges.DATA:
        yield "No policy is asked about rows: keep them apart with `mode='quarantine'`, or change what is expected of them."
        return
    if rule.id == NOT_LOOKED_AT:
        yield "It only warns, unless the policy of the table says `descriptions: block`. A waiver or an exception lets it through then."
        return
    of_files = rule.judges in (Judges.STORE, Judges.AUDIT) and rule.id != "TABLE_REPLACED"
    if of_files or rule.letters.startswith("!"):
        yield "No policy lets it through, and no table file accepts it."
        return
    if rule.judges is Judges.SOURCE or (set(rule.letters) == {"."} and not rule.variants):
        yield "There is nothing to accept: it blocks under no policy, unless the policy sets the rule to `block`."
        return
    finding = case.finding(case.report())
    path = finding.path if finding else "*"
    # The example of a rule that is fine but for a variant has nothing to accept in its column.
    fine = set(rule.letters) == {"."} and set(rule.variants) == {"nested"}
    # A table file says nothing of what another system adds to its fields.
    is_unsaid = rule.judges in (Judges.CONTRACT, Judges.METADATA, Judges.REPOSITORY) or is_foreign(case.before)
    column = None if is_unsaid or fine else _column(rule, case, path)
    if column:
        yield "For one column, in the table file, with a reason and an end:"
        yield _text(_yaml({"table": "shop.orders", **column}), "yaml")
    yield _sentence(f"{'or ' if column else ''}in the policy of the table{', for one job' if rule.judges is Judges.CONTRACT else ''}:")
    yield _text(_yaml({"exceptions": [_exception(rule, path)]}), "yaml")
    if rule.judges is not Judges.CONTRACT:
        yield "Or for all columns, without an end:"
        yield _text(_yaml({"rules": {rule.id: "warn"}}), "yaml")


def _exception(rule: Rule, path: str) -> dict[str, str]:
    only = {"consumer": "daily_report"} if rule.judges is Judges.CONTRACT else {}
    return {"rule": rule.id, "path": path or "*", "until": UNTIL, "reason": REASON, **only}


# What a table file says of a column, next to name and type, as the attributes of a field hold it.
_ATTRIBUTES = ("alias", "deprecated", "reason", "unit", "tags")


def _column(rule: Rule, case: Case, path: str) -> dict[str, Any] | None:
    """The columns of a table file that accepts the finding, where a column bears it."""
    accepts = {rule.id: REASON, "until": UNTIL}
    before, after = case.before.field(top(path)), case.after.field(top(path))
    if before is not None and after is None:
        after = case.after.column(before.id)
    if after is not None:
        return {"columns": [{**_entry(case, one), **({"accepts": accepts} if one == after else {})} for one in case.after.fields]}
    return {"dropped": [{"name": path, "accepts": accepts}]} if rule.id.startswith("FIELD_DROPPED") else None


def _entry(case: Case, one: Field) -> dict[str, Any]:
    """What a table file says of a column."""
    before = case.before.column(one.id)
    renamed = {"was": before.name} if before is not None and before.name != one.name else {}
    default = {"default": one.default} if one.default != (None if before is None else before.default) else {}
    attributes = case.after.attributes(one.id)
    return {
        "name": one.name,
        "type": str(one.type),
        **renamed,
        **default,
        **{key: attributes[key] for key in _ATTRIBUTES if key in attributes},
    }


# ---------------------------------------------------------------- writing


def main() -> int:
    wanted = pages()
    folder = ROOT / FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    for path in folder.glob("*.md"):
        if path.relative_to(ROOT).as_posix() not in wanted:
            path.unlink()
    for name, text in wanted.items():
        (ROOT / name).write_text(text, "utf-8")
    print(f"{len(wanted)} pages in {FOLDER}, {len(RULES)} rules.")
    from tools import explanations  # which takes the examples of the pages

    return explanations.main()


if __name__ == "__main__":
    sys.exit(main())

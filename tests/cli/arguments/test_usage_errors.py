"""A line that cannot be read ends in a sentence about what is wrong, and in what to type instead."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from airflow_provider_schemas.cli.arguments.options import inner_parsers
from airflow_provider_schemas.cli.arguments.usage_errors import near_names
from airflow_provider_schemas.cli.command_registry import COMMANDS
from airflow_provider_schemas.cli.help.parsers import command_parser, names
from tests.support.command_line import typed


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("lg", "there is no command 'lg'. Did you mean airflow-schemas log?"),
        ("shwo", "Did you mean airflow-schemas show?"),
        ("EVOLVE", "Did you mean airflow-schemas evolve?"),
        ("list", "Did you mean airflow-schemas ls?"),
        ("describe x.y", "Did you mean airflow-schemas show?"),
        ("history", "Did you mean airflow-schemas log?"),
        ("validate", "Did you mean airflow-schemas check?"),
        ("register f.yaml", "Did you mean airflow-schemas contract register?"),
        ("publish f.yaml", "Did you mean airflow-schemas contract register?"),
        ("shop.orders", "Write a command before it, as in: airflow-schemas show shop.orders."),
        ("zzzzzz", "The commands are listed by: airflow-schemas --help."),
        ("", "COMMAND is missing. Write: airflow-schemas --help."),
        ("help evovle", "Did you mean airflow-schemas evolve?"),
        ("evolve a.b --rename-column a:b", "there is no option --rename-column. Did you mean --rename OLD:NEW?"),
        ("show a.b --stor x", "Did you mean --store URL or --storage-option KEY=VALUE?"),
        ("show a.b --stor=x", "there is no option --stor."),
        ("log a.b --json", "Did you mean --format json?"),
        ("show a.b -q", "Did you mean --quiet?"),
        ("check a.b --dry-run", "Leave it out: airflow-schemas check writes nothing to a store."),
        ("evolve a.b --foo --bar", "there are no options --foo, --bar."),
        ("evolve --bogus", "there is no option --bogus. Type airflow-schemas evolve --help."),
        ("contract register f.yaml --pendng", "airflow-schemas contract: there is no option --pendng. Did you mean --pending?"),
        ("contract regster f.yaml", "Did you mean register?"),
        ("restore", "TABLE and N are missing. Write: airflow-schemas restore shop.orders 0 --dry-run."),
        ("restore a.b", "N is missing. Write: airflow-schemas restore"),
        ("show a.b c.d", "'c.d' is one word too many. Write: airflow-schemas show shop.orders. A name or a change"),
        (
            "show a.b --format jsn",
            "--format cannot be 'jsn'. Did you mean json? There are: text, markdown, json, html, sarif, junit, github, gitlab.",
        ),
        ("convert a.b --to arow", "--to cannot be 'arow'. Did you mean arrow? There are: "),
        ("plan a.b --sql sprk", "--sql cannot be 'sprk'. Did you mean spark?"),
        ("evolve a.b --expect", "--expect needs a value. Write --expect N; or --expect=N, where the value begins with a dash."),
        ("--store", "--store needs a value. Write --store URL;"),
        ("show a.b --width 3", "--width: write a number from 20 to 10000. Type airflow-schemas show --help."),
        ("show a.b --store x --conn y", "--store and --conn both name a store: keep one of them. Type airflow-schemas show --help."),
        ("completion bsh", "Did you mean bash?"),
    ],
)
def test_a_line_that_cannot_be_read_says_what_to_type(line: str, says: str) -> None:
    done = typed(*line.split())
    assert (done.code, done.out) == (2, "")
    assert says in done.err
    assert done.err.count("\n") == 1
    assert done.err.startswith("airflow-schemas")


@pytest.mark.parametrize("line", ["lg", "show a.b --stor x", "restore", "show a.b --format=jsn", "show --format=json --expect"])
def test_its_json_has_the_same_sentences(line: str) -> None:
    plain = typed(*line.split())
    answer = typed(*line.split(), "--format=json")
    error = json.loads(answer.out)["error"]
    assert error["code"] == "cli.usage"
    assert f"{error['message']} {error['fix']}" in plain.err


def options_of_all() -> list[tuple[str, str]]:
    """Each long option, with its command."""
    parsers = [command_parser("airflow-schemas", name) for name in COMMANDS]
    everything = [each for parser in parsers for each in ([*inner_parsers(parser)] or [parser])]
    return [(each.prog, name) for each in everything for name in each._option_string_actions if name.startswith("--")]


OPTIONS = options_of_all()


@pytest.mark.law
@given(st.sampled_from(OPTIONS), st.data())
def test_an_option_with_one_letter_too_few_is_found(option: tuple[str, str], data: st.DataObject) -> None:
    prog, name = option
    place = data.draw(st.integers(min_value=2, max_value=len(name) - 1))
    known = [other.removeprefix("--") for of, other in OPTIONS if of == prog]
    wrong = (name[:place] + name[place + 1 :]).removeprefix("--")
    found = near_names(wrong, known, 2)
    assert found if len(wrong) > 2 else True
    assert all(other in known for other in found)


@pytest.mark.law
@given(st.text(max_size=30))
def test_no_word_makes_it_fail(word: str) -> None:
    assert set(near_names(word, names(), 3)) <= set(names())


@pytest.mark.parametrize("word", ["\x1b[2J", "a" * 10_000, "%s%d", "{0}", "--%s", "--{x}=y", "-" * 5000, "\ud800"])
def test_hostile_words_are_refused_with_a_sentence(word: str) -> None:
    for line in ([word], ["show", "a.b", word], ["show", "a.b", "--format", word], ["help", word]):
        done = typed(*line)
        assert done.code == 2
        assert "Traceback" not in done.err
        assert "\x1b" not in done.err

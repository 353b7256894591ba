"""The tree of errors: every class can be caught by a built-in name, and survives the way to another process."""

import builtins
import copy
import pickle
import re
from collections.abc import Iterator

import pytest

from airflow_provider_schemas import errors
from airflow_provider_schemas.errors import Fault, SchemaError


def tree(kind: type[SchemaError], depth: int = 0) -> Iterator[tuple[int, type[SchemaError]]]:
    """The classes under and with this one, in the order of their definition, each with its depth."""
    yield depth, kind
    for child in kind.__subclasses__():
        if child.__module__ == errors.__name__:
            yield from tree(child, depth + 1)


def built_in(kind: type) -> str:
    return next((base.__name__ for base in kind.__bases__ if base.__module__ == builtins.__name__ and base is not Exception), "")


CLASSES = [kind for _, kind in tree(SchemaError)]
FAULTS = (Fault("type.syntax", "columns[0].type", "INTT is no type.", "Use INT."), Fault("column.not-exists", "b", "no column b."))


@pytest.mark.parametrize("kind", CLASSES, ids=[kind.__name__ for kind in CLASSES])
class TestEveryError:
    @pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
    def test_survives_the_way_to_another_process(self, kind: type[SchemaError], protocol: int) -> None:
        sent = kind.of(FAULTS)
        received = pickle.loads(pickle.dumps(sent, protocol))
        assert type(received) is kind
        assert (received.code, received.path, received.faults, str(received)) == (sent.code, sent.path, sent.faults, str(sent))

    def test_survives_it_with_a_single_fault_too(self, kind: type[SchemaError]) -> None:
        sent = kind("the price is wrong.", code="a.code", path="items.price", fix="Mend it.")
        for received in (pickle.loads(pickle.dumps(sent)), copy.deepcopy(sent)):
            assert (received.code, received.path, received.faults, str(received)) == (sent.code, sent.path, sent.faults, str(sent))

    def test_has_a_stable_code_of_its_own(self, kind: type[SchemaError]) -> None:
        assert re.fullmatch(r"[a-z][a-z-]*(\.[a-z0-9-]+)+", kind("something is wrong.").code)

    def test_says_where_and_what_to_do(self, kind: type[SchemaError]) -> None:
        assert str(kind("the price is wrong.", path="items.price", fix="Mend it.")) == "items.price: the price is wrong. Mend it."

    def test_can_be_caught_by_a_built_in_name(self, kind: type[SchemaError]) -> None:
        assert kind is SchemaError or built_in(kind), "give it a built-in base: ValueError, LookupError, OSError ..."


def test_an_error_shows_all_its_faults_but_never_a_wall_of_them() -> None:
    text = str(SchemaError.of([FAULTS[0]] * 1_000))
    assert text.startswith("1000 faults:")
    assert len(text.splitlines()) < 30


def test_an_error_cuts_each_text_of_a_fault_and_notes_how_long_it_was() -> None:
    huge = "k" * 3_000_000
    for error in (SchemaError.of([Fault("a.code", huge, huge, huge)]), SchemaError(huge, path=huge, fix=huge)):
        again = SchemaError.of(fault.at("reads.shop.orders") for fault in error.faults)
        for told in (error, again, pickle.loads(pickle.dumps(error))):
            assert max(len(str(told)), len(repr(told))) < 10_000
            assert "... (3,000,000 characters)" in told.message
            assert len(told.path) <= errors.MAX_PATH


def test_many_long_faults_make_no_longer_error() -> None:
    faults = [Fault("a.code", f"column {number}", "x" * 3_000, "Mend it.") for number in range(50)]
    text = str(SchemaError.of(faults))
    assert len(text) <= errors.MAX_SENTENCE + 100
    assert text.startswith("50 faults:")
    assert text.endswith("... and 44 more")


def test_a_text_within_the_limits_stays_as_it_is() -> None:
    fault = Fault("a.code", "p" * errors.MAX_PATH, "m" * errors.MAX_TEXT, "f" * errors.MAX_TEXT)
    assert SchemaError.of([fault]).faults == (fault,)


def test_the_tree_in_the_docstring_is_the_real_one() -> None:
    drawn = re.findall(r"^    ([ │├└─]*)(\w+Error)(?: \((\w+)\))?", errors.__doc__ or "", re.MULTILINE)
    shown = [(len(lines) // 4, name, base) for lines, name, base in drawn]
    assert shown == [(depth, kind.__name__, built_in(kind)) for depth, kind in tree(SchemaError)]


def test_every_error_of_the_module_is_in_the_tree() -> None:
    raised = {value for value in vars(errors).values() if isinstance(value, type) and issubclass(value, BaseException)}
    assert raised == set(CLASSES)

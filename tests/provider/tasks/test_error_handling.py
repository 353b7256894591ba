"""How errors end a task."""

import pytest
from airflow.sdk.exceptions import AirflowFailException

from airflow_provider_schemas.errors import (
    ConflictError,
    IncompatibleSchemaError,
    NotThereError,
    OutcomeUnknownError,
    StorageError,
    UnsafeStorageError,
)
from airflow_provider_schemas.tasks.error_handling import settled


@pytest.mark.parametrize("error", [StorageError("it is down."), ConflictError("somebody was first.")])
def test_what_another_try_may_mend_is_raised_as_it_is(error: Exception) -> None:
    with pytest.raises(type(error)) as caught, settled():
        raise error
    assert caught.value is error
    assert not isinstance(caught.value, AirflowFailException)


@pytest.mark.parametrize(
    "error", [NotThereError("it is not there."), UnsafeStorageError("it keeps no promise."), OutcomeUnknownError("nobody knows.")]
)
def test_what_no_try_mends_fails_at_once_and_is_told_once(error: Exception) -> None:
    with pytest.raises(AirflowFailException, match=str(error)) as caught, settled():
        raise error
    assert caught.value.__suppress_context__


def test_what_does_not_fit_keeps_its_report() -> None:
    with pytest.raises(AirflowFailException) as caught, settled():
        raise IncompatibleSchemaError.about("the report", "a column is gone.")
    assert isinstance(caught.value, IncompatibleSchemaError)
    assert caught.value.report == "the report"


def test_a_name_cannot_end_a_group_of_the_log_or_colour_it() -> None:
    with pytest.raises(AirflowFailException) as caught, settled():
        raise NotThereError("b\n::endgroup::\x1b[31m is not there.", path="b\n::group::x", fix="Look.\nOr\x1b[0m make it.")
    assert str(caught.value) == "b ::group::x: b ::endgroup::\\u001b[31m is not there. Look.\nOr\\u001b[0m make it."


def test_hints_speak_of_the_connection() -> None:
    with pytest.raises(AirflowFailException, match=r"Take read_only out of the extra of the connection\."), settled():
        raise NotThereError("it is read only.", fix="Open it without read_only.")

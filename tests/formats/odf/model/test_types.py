"""Equality of types: absent parameters are their defaults, whichever way one asks."""

from airflow_provider_schemas.formats.odf.model.kinds import TimeUnit
from airflow_provider_schemas.formats.odf.model.types import Duration, List, Time, Timestamp


def test_unequal_is_the_opposite_of_equal_where_a_default_is_spelled_out() -> None:
    for one, other in (
        (Timestamp(), Timestamp(TimeUnit.MILLISECOND, "UTC")),
        (Time(), Time(TimeUnit.MILLISECOND)),
        (List(Timestamp()), List(Timestamp(timezone="UTC"))),
    ):
        assert one == other
        assert not one != other  # noqa: SIM202  # the case
    assert Time() != Duration()
    assert Timestamp() != Timestamp(timezone="+00:00")

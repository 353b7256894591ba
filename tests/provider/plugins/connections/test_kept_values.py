"""A value is computed once for its key, and the oldest ones make room."""

from airflow_provider_schemas.plugins.connections.kept_values import KeptValues


def test_a_value_is_computed_once_for_its_key() -> None:
    kept: KeptValues[int] = KeptValues(most=2)
    computed: list[int] = []

    def compute(number: int) -> int:
        computed.append(number)
        return number

    def value(number: int) -> int:
        return kept.get(number, lambda: compute(number))

    assert [value(1), value(1), value(2), value(1), value(3), value(1), value(2)] == [1, 1, 2, 1, 3, 1, 2]
    assert computed == [1, 2, 3, 2]

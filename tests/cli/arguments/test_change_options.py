"""The two names of a rename: OLD:NEW, and nothing that could be read the other way round."""

import pytest

from airflow_provider_schemas.cli.arguments.change_options import split_rename
from airflow_provider_schemas.errors import SchemaError


@pytest.mark.parametrize(
    ("typed", "names"),
    [
        ("cust_id:customer_id", ("cust_id", "customer_id")),
        (" a : b ", ("a", "b")),
        ("address.city:town", ("address.city", "town")),
        ("`a:b`:c", ("`a:b`", "c")),
        ("a:`b=c`", ("a", "`b=c`")),
        ("`x``:y`:`=`", ("`x``:y`", "`=`")),
    ],
)
def test_the_old_name_stands_first(typed: str, names: tuple[str, str]) -> None:
    assert split_rename("rename", typed) == names


@pytest.mark.parametrize("option", ["rename", "alias"])
def test_an_equals_sign_is_refused_with_both_readings(option: str) -> None:
    with pytest.raises(SchemaError, match=f"--{option} b:a to make b into a, or --{option} a:b to make a into b"):
        split_rename(option, "b=a")


@pytest.mark.parametrize("typed", ["", "a", ":", "a:", ":b", "a:b:c", "a:b=c", "a=b:c", "a=b=c", "=", "`a:b"])
def test_what_could_mean_anything_is_refused(typed: str) -> None:
    with pytest.raises(SchemaError, match="OLD:NEW"):
        split_rename("rename", typed)

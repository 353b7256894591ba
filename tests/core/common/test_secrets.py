"""What a debugger, a log or a prompt shows of a schema holds no secret."""

from airflow_provider_schemas.core import TableSchema, Version, parse_changes

SECRET = "s3cr3t-value"


def test_a_schema_shows_no_secret_of_its_options() -> None:
    options = {"fs.s3a.secret.key": SECRET, "metastore": f"jdbc://ana:{SECRET}@host/db", "bucket": "4"}
    schema = TableSchema.create("a INT, k INT", primary_keys=["k"], options=options)
    version = Version.read(schema.to_json().encode(), 0)
    for shown in (repr(schema), str(schema), repr(version), str(version), repr(schema.options), f"{schema.options}"):
        assert SECRET not in shown
    assert "'bucket': '4'" in repr(schema.options)
    assert schema.options["fs.s3a.secret.key"] == SECRET


def test_a_change_shows_no_secret_that_it_sets() -> None:
    (hidden, plain) = parse_changes([f"SET OPTION password = '{SECRET}'", "SET OPTION bucket = '4'"])
    assert SECRET not in repr(hidden)
    assert repr(plain) == "SetOption(key='bucket', value='4')"

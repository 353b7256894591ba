"""How many requests each door makes of a storage that is far away, and how many of them wait for each other: counted, and not timed."""

import json
from contextlib import redirect_stdout
from io import BytesIO, StringIO

import pytest

from airflow_provider_schemas.cli.main import main
from airflow_provider_schemas.core.schema.table_schema import TableSchema
from airflow_provider_schemas.errors import StorageError
from airflow_provider_schemas.store import judge
from airflow_provider_schemas.store.check_tables import REGISTERED
from tests.servers.bucket import Bucket
from tests.servers.slow_s3 import QUIET, Asked, Far
from tests.support.stores import open_store

COLUMNS = "order_id BIGINT NOT NULL, cust_id BIGINT, amount DECIMAL(10, 2)"
NEEDS = "order_id BIGINT NOT NULL, cust_id BIGINT"
JOB = "reports.gate"
FEW, SEVERAL, MANY = 1, 5, 40


def names(count: int) -> tuple[str, ...]:
    return tuple(f"shop.t{number}" for number in range(count))


@pytest.fixture(scope="module")
def lake(far: Far) -> Bucket:
    """A warehouse of forty tables, with a job that has registered what it needs of the first few."""
    bucket = far.bucket()
    store = open_store(bucket)
    store.create_table("shop.t0", COLUMNS)
    files = bucket.filesystem()
    first = f"{bucket.name}/lake/shop.db/t0/schema/schema-0"
    data = files.cat_file(first)
    files.pipe({first.replace("/t0/", f"/t{number}/"): data for number in range(1, MANY)})
    for name in names(SEVERAL):
        store.table(name).register(NEEDS, consumer=JOB)
    return bucket


@pytest.mark.parametrize("count", [FEW, SEVERAL, MANY])
def test_a_judgement_waits_three_times_whatever_the_number_of_tables(far: Far, lake: Bucket, count: int) -> None:
    store = open_store(lake)
    asked = far.requests_of(lambda: judge(store, dict.fromkeys(names(count), NEEDS), consumer=JOB), quiet=QUIET)
    # The two roots, the id, policies, waivers; of each table its versions and the newest; one listing for all the registry's tables.
    assert (asked.requests, asked.waits) == (2 * count + 5, 3), asked.told()


@pytest.mark.parametrize("count", [FEW, SEVERAL])
def test_what_is_registered_is_asked_beside_it(far: Far, lake: Bucket, count: int) -> None:
    store = open_store(lake)
    asked = far.requests_of(lambda: judge(store, dict.fromkeys(names(count), REGISTERED), consumer=JOB), quiet=QUIET)
    assert (asked.requests, asked.waits) == (4 * count + 5, 3), asked.told()


def test_a_layout_that_is_said_saves_a_wait(far: Far, lake: Bucket) -> None:
    store = open_store(lake, layout="paimon")
    asked = far.requests_of(lambda: judge(store, dict.fromkeys(names(SEVERAL), NEEDS), consumer=JOB), quiet=QUIET)
    assert (asked.requests, asked.waits) == (2 * SEVERAL + 3, 2), asked.told()


def test_policies_and_waivers_come_within_the_same_waits(far: Far) -> None:
    bucket = far.bucket()
    store = open_store(bucket)
    for name in names(SEVERAL):
        store.create_table(name, COLUMNS)
    store.save_policy({"protect": {"jobs": "warn"}}, database="shop", override="a test")
    store.table("shop.t3").waive("EXPECT_FIELD_MISSING", "gone", until="2999-01-01", reason="a test")
    again = open_store(bucket)
    asked = far.requests_of(lambda: judge(again, dict.fromkeys(names(SEVERAL), NEEDS), consumer=JOB), quiet=QUIET)
    # Beside the tables, the policy of the database, the waivers of the one table that has any, and the one that it has.
    assert (asked.requests, asked.waits) == (2 * SEVERAL + 5 + 3, 3), asked.told()


@pytest.mark.parametrize("layout", ["registry", "mini-paimon"])
def test_tables_of_other_layouts_are_asked_at_once_as_well(far: Far, layout: str) -> None:
    bucket = far.bucket()
    store = open_store(bucket, layout=layout)
    for name in names(SEVERAL):
        store.create_table(name, COLUMNS)
    again = open_store(bucket, layout=layout)
    asked = far.requests_of(lambda: judge(again, dict.fromkeys(names(SEVERAL), NEEDS), consumer=JOB), quiet=QUIET)
    assert asked.waits <= 3, asked.told()
    assert asked.requests <= 4 * SEVERAL + 6, asked.told()


def test_tables_in_either_root_are_found_in_four_waits(far: Far) -> None:
    bucket = far.bucket()
    store = open_store(bucket)
    for name in names(SEVERAL):
        store.create_table(name, COLUMNS)
    store.adopt("shop.landed", bucket.url("landed"), store.table("shop.t0").schema(), unchecked="a test")
    again = open_store(bucket, look=False)
    tables = [*names(SEVERAL), "shop.landed"]
    asked = far.requests_of(lambda: judge(again, dict.fromkeys(tables, NEEDS), consumer=JOB), quiet=QUIET)
    assert asked.waits <= 4, asked.told()
    assert asked.requests <= 4 * len(tables) + 6, asked.told()


def test_registering_again_asks_nothing_after_what_says_that_it_is_there(far: Far, lake: Bucket) -> None:
    store = open_store(lake).judging()
    with far.watched(quiet=QUIET) as asked:
        judge(store, {"shop.t0": NEEDS}, consumer=JOB)
        store.table("shop.t0").register(NEEDS, consumer=JOB)
    assert asked.requests == 2 + 5 + 2, asked.told()


def test_what_is_written_is_followed_by_a_look_at_the_head(far: Far, lake: Bucket) -> None:
    store = open_store(lake)
    asked = far.requests_of(lambda: store.table("shop.t1").register(f"{NEEDS}, amount DECIMAL(10, 2)", consumer="reports.new"), quiet=QUIET)
    calls = [str(one) for one in sorted(asked.calls, key=lambda one: one.came)]
    put = next(place for place, one in enumerate(calls) if one.startswith("PUT"))
    assert "LIST lake/shop.db/t1/schema/" in calls[put:], asked.told()


def test_a_second_judgement_of_the_same_store_sees_what_came_since(far: Far, lake: Bucket) -> None:
    store, other = open_store(lake), open_store(lake)
    assert judge(store, {"shop.t2": NEEDS}).tables[0].version.number == 0  # type: ignore[union-attr]
    other.table("shop.t2").evolve("ADD COLUMN more STRING")
    assert judge(store, {"shop.t2": NEEDS}).tables[0].version.number == 1  # type: ignore[union-attr]


def test_a_registry_without_an_id_is_asked_for_it_once(far: Far) -> None:
    bucket = far.bucket()
    data = TableSchema.create(COLUMNS).to_json().encode()
    bucket.filesystem().pipe({f"{bucket.name}/lake/shop.db/t{number}/schema/schema-0": data for number in range(SEVERAL)})
    store = open_store(bucket)
    asked = far.requests_of(lambda: judge(store, dict.fromkeys(names(SEVERAL), NEEDS)), quiet=QUIET)
    assert [str(one) for one in asked.calls if "registry-id" in str(one)] == [f"GET /{bucket.name}/lake/_schemas/registry-id.json"]


def test_a_registry_without_an_id_asks_all_tables_around_at_once(far: Far) -> None:
    bucket = far.bucket()
    data = TableSchema.create(COLUMNS).to_json().encode()
    tables = [f"shop.db/t{number}" for number in range(3)] + [f"other{number}.db/t" for number in range(30)]
    bucket.filesystem().pipe({f"{bucket.name}/lake/{table}/schema/schema-0": data for table in tables})
    store = open_store(bucket)
    asked = far.requests_of(lambda: judge(store, {"shop.t0": NEEDS}), quiet=QUIET)
    # Beside the judgement's own: the tables of this database, those of the others, and of twenty tables the versions and the newest.
    assert asked.waits <= 3 + 4, asked.told()
    assert asked.requests <= 7 + 1 + 30 + 2 * 19, asked.told()


def test_a_neighbour_that_names_another_registry_is_found_among_those_that_are_asked_at_once(far: Far) -> None:
    bucket = far.bucket()
    open_store(bucket).create_table("shop.z", COLUMNS)
    data = TableSchema.create(COLUMNS).to_json().encode()
    files = bucket.filesystem()
    files.pipe({f"{bucket.name}/lake/shop.db/t{number}/schema/schema-0": data for number in range(12)})
    files.rm_file(f"{bucket.name}/lake/_schemas/registry-id.json")
    store = open_store(bucket)
    with pytest.raises(StorageError) as caught:
        judge(store, {"shop.t0": NEEDS})
    assert caught.value.code == "registry.missing"


def test_a_registry_that_is_not_there_is_still_an_error(far: Far, lake: Bucket) -> None:
    store = open_store(lake, registry=lake.url("nowhere"))
    with pytest.raises(StorageError) as caught:
        judge(store, dict.fromkeys(names(SEVERAL), NEEDS))
    assert caught.value.code == "registry.missing"


def described_table(far: Far, *, deep: int = 0, versions: int = 1) -> Bucket:
    """A table that is only described, with one file below so many partition folders, and with a folder of another that is bound."""
    import pyarrow as pa
    from pyarrow import parquet

    bucket, out, keys = far.bucket(), BytesIO(), [f"k{number}" for number in range(deep)]
    parquet.write_table(pa.table({"order_id": [1], "cust_id": [2]}), out)
    bucket.filesystem().pipe_file("/".join([f"{bucket.name}/landed", *(f"{key}=a" for key in keys), "part-0.parquet"]), out.getvalue())
    columns = ", ".join(["order_id BIGINT", "cust_id BIGINT", *(f"{key} STRING" for key in keys)])
    store = open_store(bucket, layout="registry")
    for name in ("landed", "other"):
        store.adopt(f"shop.{name}", bucket.url("landed"), TableSchema.create(columns, partition_keys=keys))
    for number in range(1, versions):
        store.table("shop.landed").evolve(f"ADD COLUMN more_{number} STRING")
    if versions > 1:
        store.table("shop.other").bind(bucket.url("landed"), 0)
    return bucket


def looked_at(far: Far, bucket: Bucket) -> tuple[Asked, Asked]:
    """What a judgement asks that does not look at data, and one that does."""
    store, blind, needs = open_store(bucket), open_store(bucket, look=False), {"shop.landed": "order_id BIGINT"}
    return far.requests_of(lambda: judge(blind, needs), quiet=QUIET), far.requests_of(lambda: judge(store, needs), quiet=QUIET)


@pytest.mark.parametrize("deep", [0, 1, 3])
def test_a_look_at_a_footer_adds_two_waits_and_one_for_each_level_of_partitions(far: Far, deep: int) -> None:
    without, asked = looked_at(far, described_table(far, deep=deep))
    assert asked.waits == without.waits + 2 + deep, asked.told()
    assert asked.requests == without.requests + 2 + deep, asked.told()


def test_what_explains_a_file_is_asked_while_its_footer_is_read(far: Far) -> None:
    without, asked = looked_at(far, described_table(far, versions=3))
    # The two older versions, and which folders are bound.
    assert asked.waits == without.waits + 2, asked.told()
    assert asked.requests == without.requests + 2 + 3, asked.told()


def test_a_plan_waits_three_times(far: Far, lake: Bucket) -> None:
    table = open_store(lake).table("shop.t3")
    asked = far.requests_of(lambda: table.plan("ADD COLUMN more STRING"), quiet=QUIET)
    assert asked.waits == 3, asked.told()


def test_a_change_waits_three_times_before_it_writes(far: Far, lake: Bucket) -> None:
    table = open_store(lake).table("shop.t4")
    asked = far.requests_of(lambda: table.evolve("ADD COLUMN more STRING"), quiet=QUIET)
    # Then: is the version before still there, the write, is it ours, is the one before still there, and which jobs came meanwhile.
    assert asked.waits <= 3 + 4 + 1, asked.told()
    reads = [str(one) for one in asked.calls if "contract-" in str(one)]
    assert len(reads) == len(set(reads)) == 1, asked.told()  # what was judged is not read again


def test_a_change_of_a_table_with_versions_waits_once_more(far: Far) -> None:
    bucket = far.bucket()
    open_store(bucket).create_table("shop.t", COLUMNS)
    open_store(bucket).table("shop.t").evolve("ADD COLUMN a STRING")
    asked = far.requests_of(lambda: open_store(bucket).table("shop.t").evolve("ADD COLUMN b STRING"), quiet=QUIET)
    assert asked.waits <= 4 + 4 + 1, asked.told()


def test_a_contract_that_came_while_a_version_was_written_is_read(far: Far, lake: Bucket) -> None:
    from airflow_provider_schemas.store.registry import contracts

    table = open_store(lake).table("shop.t3")
    there = contracts.listed(table.registry, table.id)
    table.register("cust_id BIGINT", consumer=JOB, team="others")
    known = {(one.team, one.consumer, one.number) for one in there}
    with far.watched() as asked:
        later = contracts.listed(table.registry, table.id, known)
    # Its name is told apart from the other job's, which is not read.
    assert [one.contract.name for one in later] == [f"{JOB} (others)"]
    assert asked.requests == 2, asked.told()


def test_a_first_version_waits_four_times_before_it_writes(far: Far, lake: Bucket) -> None:
    store = open_store(lake)
    asked = far.requests_of(lambda: store.create_table("shop.new", COLUMNS), quiet=QUIET)
    # Then: the write, is it ours, which jobs came meanwhile, and whether it was made elsewhere at the same moment.
    assert asked.waits <= 4 + 4, asked.told()


def typed(bucket: Bucket, *words: str) -> str:
    """What a command prints."""
    options = [
        f"--storage-option={key}={json.dumps(value) if isinstance(value, dict) else value}" for key, value in bucket.storage_options.items()
    ]
    with redirect_stdout(StringIO()) as printed:
        main([*words, f"--store={bucket.url('lake')}", *options])
    return printed.getvalue()


def test_a_long_listing_of_few_tables_asks_twice_a_table_and_waits_six_times(far: Far, lake: Bucket) -> None:
    with far.watched(quiet=QUIET) as asked:
        told = typed(lake, "ls", "--long", "shop").count("shop.t")
    assert told >= MANY
    # The names are three requests: each of the two roots is listed, and their layout is found out.
    assert asked.requests <= 2 * (told + 1) + 6, asked.told()
    assert asked.waits <= 6, asked.told()


def warehouse_of(far: Far, count: int, folder: str = "lake/shop.db", **beside: int) -> Bucket:
    """A warehouse of tables with one version; and beside each of them so many files of data, by the name of their folder."""
    bucket, data = far.bucket(), TableSchema.create(COLUMNS).to_json().encode()
    files = {f"{folder}/t{number}/schema/schema-0": data for number in range(count)}
    for number in range(count):
        files |= {f"{folder}/t{number}/{name}/data-{part}": b"x" for name, parts in beside.items() for part in range(parts)}
    bucket.filesystem().pipe({f"{bucket.name}/{path}": content for path, content in files.items()})
    return bucket


@pytest.mark.slow
@pytest.mark.parametrize("folder", ["lake/shop.db", "lake/_schemas/shop.db"])
def test_a_long_listing_of_a_thousand_tables_asks_once_a_table(far: Far, folder: str) -> None:
    bucket = warehouse_of(far, 1_000, folder)
    with far.watched() as asked:
        told = typed(bucket, "ls", "--long", "shop")
    assert told.count("  v0  ") == 1_000
    assert asked.requests <= 1_010, asked.requests


@pytest.mark.slow
def test_tables_with_few_files_of_data_are_still_told_by_pages(far: Far) -> None:
    bucket = warehouse_of(far, 200, manifest=3, snapshot=2)
    with far.watched() as asked:
        told = typed(bucket, "ls", "--long", "shop")
    assert told.count("  v0  ") == 200
    assert asked.requests <= 200 + 10, asked.requests


@pytest.mark.slow
def test_where_data_fill_the_pages_one_is_asked_in_vain(far: Far) -> None:
    bucket = warehouse_of(far, 100, bucket=40)
    with far.watched() as asked:
        told = typed(bucket, "ls", "--long", "shop")
    assert told.count("  v0  ") == 100
    assert 100 + 70 <= asked.requests <= 2 * 100 + 1 + 6, asked.requests


def test_a_folder_without_a_schema_among_many_tables_is_told_as_that(far: Far) -> None:
    bucket = warehouse_of(far, 100)
    bucket.filesystem().pipe_file(f"{bucket.name}/lake/shop.db/t5-more/part-0", b"x")
    open_store(bucket, single_writer=True).table("shop.t50").evolve("ADD COLUMN more STRING")
    told = typed(bucket, "ls", "--long", "shop")
    lines = {line.split()[0]: line for line in told.splitlines() if line.startswith("shop.")}
    assert "no schema: a folder, and no table" in lines["shop.t5-more"]
    assert (lines["shop.t50"].split()[1], lines["shop.t5"].split()[1]) == ("v1", "v0")


def test_an_inspection_waits_four_times(far: Far, lake: Bucket) -> None:
    table = open_store(lake).table("shop.t4")
    asked = far.requests_of(table.inspect, quiet=QUIET)
    assert asked.waits <= 4, asked.told()

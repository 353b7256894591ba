"""Plans in the registry: saved under their digests, found by the beginning of one, and refused once somebody has touched them."""

import json
from datetime import timedelta
from pathlib import Path

import pytest

from airflow_provider_schemas.core import Plan
from airflow_provider_schemas.errors import NotThereError, PlanError
from airflow_provider_schemas.store.layout.identifiers import TableName
from airflow_provider_schemas.store.registry import plans
from airflow_provider_schemas.store.storage.local import LocalFiles
from tests.store.support.table_versions import FIRST, NOW, ORDERS, version

USERS = TableName("shop", "users")


@pytest.fixture
def files(tmp_path: Path) -> LocalFiles:
    return LocalFiles(tmp_path)


def plan(*changes: str, table: str = "shop.orders") -> Plan:
    return Plan.of(version(FIRST), list(changes or ["ADD COLUMN coupon STRING"]), table=table, now=NOW)


def test_a_plan_comes_back_whole_by_its_digest_and_with_who_made_it(files: LocalFiles) -> None:
    made = plan("ADD COLUMN coupon STRING", "RENAME COLUMN cust_id TO customer_id")
    digest = plans.save(files, ORDERS, made, actor="ana", run="scheduled__1", now=NOW)
    assert digest == made.digest
    loaded = plans.load(files, ORDERS, digest)
    assert (loaded.to_json(), loaded.base) == (made.to_json(), made.base)
    one = plans.saved(files, ORDERS, digest)
    assert (one.by, one.run, one.at, one.digest) == ("ana", "scheduled__1", "2026-11-18T12:00:00+00:00", digest)


def test_the_beginning_of_a_digest_will_do_while_it_is_that_of_one_plan(files: LocalFiles) -> None:
    digest = plans.save(files, ORDERS, plan())
    assert plans.load(files, ORDERS, digest[:4]).digest == digest
    like = digest[:4] + "0" * 60
    files.put(plans.plan_path(ORDERS, like), b"{}")
    with pytest.raises(PlanError) as refused:
        plans.load(files, ORDERS, digest[:4])
    assert refused.value.code == "plan.ambiguous"
    assert plans.load(files, ORDERS, digest[:12]).digest == digest


def test_a_plan_that_is_not_there_is_told_with_what_is(files: LocalFiles) -> None:
    with pytest.raises(NotThereError, match="none at all"):
        plans.load(files, ORDERS, "0" * 64)
    digest = plans.save(files, ORDERS, plan())
    missing = "0000" if not digest.startswith("0000") else "ffff"
    with pytest.raises(NotThereError, match=digest[:12]):
        plans.load(files, ORDERS, missing)


@pytest.mark.parametrize("digest", ["", "abc", "../../../etc/passwd", "ABCD", "zzzz", "a" * 65, None, 7])
def test_what_is_no_digest_is_refused(files: LocalFiles, digest: str) -> None:
    with pytest.raises(PlanError) as refused:
        plans.load(files, ORDERS, digest)
    assert refused.value.code == "plan.no-digest"


def test_a_plan_that_is_saved_again_stays_as_it_was_first_made(files: LocalFiles) -> None:
    digest = plans.save(files, ORDERS, plan(), actor="ana", now=NOW)
    assert plans.save(files, ORDERS, plan(), actor="raj", now=NOW + timedelta(days=1)) == digest
    assert plans.saved(files, ORDERS, digest).by == "ana"


def test_a_plan_that_somebody_touched_is_refused_and_saving_it_puts_it_right(files: LocalFiles) -> None:
    digest = plans.save(files, ORDERS, plan())
    path = plans.plan_path(ORDERS, digest)
    record = json.loads(files.read(path))
    record["plan"]["verdict"] = record["plan"]["digest"] = "0"
    files.put(path, json.dumps(record).encode())
    with pytest.raises(PlanError) as refused:
        plans.load(files, ORDERS, digest)
    assert refused.value.code == "plan.tampered"
    plans.save(files, ORDERS, plan())
    assert plans.load(files, ORDERS, digest).digest == digest


def test_a_whole_plan_under_the_name_of_another_is_refused(files: LocalFiles) -> None:
    digest, other = plans.save(files, ORDERS, plan()), plans.save(files, ORDERS, plan("DROP COLUMN amount"))
    files.put(plans.plan_path(ORDERS, digest), files.read(plans.plan_path(ORDERS, other)))
    with pytest.raises(PlanError) as refused:
        plans.load(files, ORDERS, digest)
    assert refused.value.code == "plan.tampered"


def test_a_plan_for_another_table_is_refused(files: LocalFiles) -> None:
    with pytest.raises(PlanError, match=r"not for shop\.users"):
        plans.save(files, USERS, plan())
    digest = plans.save(files, ORDERS, plan())
    files.put(plans.plan_path(USERS, digest), files.read(plans.plan_path(ORDERS, digest)))
    with pytest.raises(PlanError, match=r"not for shop\.users"):
        plans.load(files, USERS, digest)


def test_a_plan_that_was_put_there_by_hand_is_one(files: LocalFiles) -> None:
    made = plan()
    files.put(plans.plan_path(ORDERS, made.digest), made.to_json().encode())
    assert plans.saved(files, ORDERS, made.digest) == plans.Saved(plans.load(files, ORDERS, made.digest))


@pytest.mark.parametrize(
    "data", [b"", b"{}", b"\xff", b'{"plan": 1, "at": "2026-11-18"}', b'{"plan": {}, "at": "2026-11-18"}', b"[" * 100_000]
)
def test_a_file_that_is_no_plan_is_told_with_its_path_and_hides_no_other(files: LocalFiles, data: bytes) -> None:
    digest = plans.save(files, ORDERS, plan())
    bad = plans.plan_path(ORDERS, "0" * 64)
    files.put(bad, data)
    with pytest.raises(PlanError):
        plans.load(files, ORDERS, "0" * 64)
    there, unreadable = plans.listed(files, ORDERS)
    assert ([one.digest for one in there], [one.path for one in unreadable]) == ([digest], [bad])


def test_a_secret_in_a_plan_is_in_its_file_and_not_in_its_summary(files: LocalFiles) -> None:
    digest = plans.save(files, ORDERS, plan("SET OPTION 's3.secret-key' = 'tiger'"))
    assert "tiger" in plans.load(files, ORDERS, digest).to_json()
    ((one,), _) = plans.listed(files, ORDERS)
    assert "tiger" not in json.dumps(one.plan.summary())

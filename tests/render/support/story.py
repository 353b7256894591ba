"""Three versions of shop.orders, the jobs that read it, and what the judge says of the last change: made by the real parts.

cust_id becomes customer_id, a coupon comes, legacy_flag goes; utm_source and utm_medium, which Flink added, stay.
"""

from datetime import UTC, datetime
from functools import cache

from msgspec.structs import replace

from airflow_provider_schemas.core import TableSchema, evolve
from airflow_provider_schemas.core.compatibility.check import check
from airflow_provider_schemas.core.contracts.check_contract import check_contract
from airflow_provider_schemas.core.contracts.contract import Contract
from airflow_provider_schemas.core.plan import Plan
from airflow_provider_schemas.core.policies.policy import Policy
from airflow_provider_schemas.core.report import Place, Report
from airflow_provider_schemas.core.schema.version import Provenance, Version

NOW = datetime(2026, 11, 18, 9, 2, tzinfo=UTC)
TABLE = "shop.orders"
FILE = "schemas/shop/orders.yaml"
PLACES = {
    "": Place(FILE, 1),
    "cust_id": Place(FILE, 6),
    "amount": Place(FILE, 7),
    "coupon": Place(FILE, 8),
    "legacy_flag": Place(FILE, 9),
}
CHANGES = [
    "RENAME COLUMN cust_id TO customer_id",
    "ADD COLUMN coupon STRING COMMENT 'what was redeemed' AFTER amount",
    "DROP COLUMN legacy_flag",
]
LEFT_ALONE = ("utm_source", "utm_medium")

FIRST = TableSchema.create(
    "order_id BIGINT NOT NULL, cust_id BIGINT, amount DECIMAL(12, 2), legacy_flag BOOLEAN, dt DATE NOT NULL",
    partition_keys=["dt"],
    primary_keys=["order_id", "dt"],
    options={"bucket": "4"},
    comment="orders, gross",
)
FLINK = ["ADD COLUMN utm_source STRING", "ADD COLUMN utm_medium STRING"]

POLICY = Policy(registry_complete=True)

DAILY = Contract.of(
    "order_id BIGINT NOT NULL, cust_id BIGINT, amount DECIMAL(12, 2)",
    name="daily_report",
    table=TABLE,
    owner="team-bi",
    contact="#bi-oncall",
    last_seen="2026-11-18",
)
LTV = Contract.of(["cust_id", "amount"], name="ltv_model", table=TABLE, owner="team-ml", last_seen="2026-11-15")
OTHERS = tuple(Contract.of("order_id BIGINT, amount DECIMAL(12, 2)", name=f"finance_{number}", owner="team-fin") for number in range(12))
CONTRACTS = (DAILY, LTV, *OTHERS)


def version(schema: TableSchema, number: int, at: str, origin: Provenance | None = None) -> Version:
    """The schema as a stored file, written at a time and by somebody."""
    millis = int(datetime.fromisoformat(at).timestamp() * 1000)
    stored = replace(schema, id=number, time_millis=millis)
    return Version.read((origin.on(stored) if origin else stored).to_json().encode(), number)


@cache
def versions() -> tuple[Version, ...]:
    """Versions 40 to 42."""
    first = version(FIRST, 40, "2026-06-01T08:00Z", Provenance(actor="ana", run="manual__2026-06-01"))
    second = version(evolve(first.schema, FLINK), 41, "2026-11-02T14:30Z")
    third = evolve(second.schema, CHANGES)
    origin = Provenance(actor="ana", run="scheduled__2026-11-18T01:00", parent_id=41, parent_sha256=second.digest, approval="raj")
    return first, second, version(third, 42, "2026-11-18T01:12Z", origin)


def change_report() -> Report:
    """The last change, judged for everybody, with the lines of the table file."""
    before, after = versions()[1:]
    report = check(before, after, POLICY, history=versions()[:1], contracts=CONTRACTS, table=TABLE, now=NOW)
    owned = [replace(one, owner="team-orders", contact="#orders-oncall", place=PLACES.get(one.path)) for one in report.findings]
    return replace(report, findings=tuple(owned))


def gate_reports() -> list[Report]:
    """What daily_report needs, against the tables as they are now."""
    users = TableSchema.create("user_id BIGINT NOT NULL, country STRING")
    clicks = TableSchema.create("user_id BIGINT, url STRING, at TIMESTAMP(3)")
    before, after = versions()[1:]
    return [
        check_contract(after.schema, DAILY, seen=before.schema, table=TABLE, version=42),
        check_contract(users, Contract.of(["user_id", "country"], name="daily_report"), table="shop.users", version=7),
        check_contract(clicks, Contract.of("user_id BIGINT", name="daily_report"), table="clicks.web", version=3),
    ]


def plan() -> Plan:
    """The change before it was made."""
    found = Plan.of(
        versions()[1],
        CHANGES,
        policy=POLICY,
        history=versions()[:1],
        contracts=CONTRACTS,
        table=TABLE,
        places=PLACES,
        left_alone=LEFT_ALONE,
        now=NOW,
    )
    # Evolving stamps the time on the result.
    return replace(found, result=replace(found.result, time_millis=0))

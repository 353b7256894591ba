"""Lines that run, for the help of each command: a test runs them all. The store of a line comes from the environment, or from --store."""

from collections.abc import Mapping
from typing import Final

EXAMPLES: Final[Mapping[str, tuple[str, ...]]] = {
    "ls": ("", "shop --long"),
    "show": ("shop.orders", "shop.orders:0", "schemas/orders.yaml"),
    "log": ("shop.orders", "shop.orders --since 7d"),
    "blame": ("shop.orders", "shop.orders.cust_id", "shop.orders --version 0"),
    "diff": ("shop.orders", "shop.orders:0 shop.orders"),
    "convert": ("shop.orders --to spark-ddl", "schemas/orders.yaml --to arrow -o orders.arrow"),
    "check": ("schemas", "shop.orders --for daily_report", "old.sql new.sql"),
    "audit": ("", "shop"),
    "explain": ("FIELD_RENAMED", "table.not-there"),
    "plan": ("shop.orders --add 'coupon STRING'", "schemas/orders.yaml -o plan.json"),
    "apply": ("plan.json", "plan.json --dry-run"),
    "evolve": ("shop.orders --add 'coupon STRING' --dry-run", "shop.orders --rename cust_id:customer_id", "schemas/orders.yaml"),
    "create": ("schemas/orders.yaml", "shop.users 'id BIGINT NOT NULL' --primary-key id"),
    "adopt": ("raw.clicks s3://bucket/clicks 'user_id BIGINT'",),
    "mount": ("shop.orders", "shop.orders --yes"),
    "restore": ("shop.orders 0 --dry-run", "shop.orders 0 --column coupon"),
    "bind": ("raw.clicks 'dt=2025-03-*' 0", "raw.clicks --list"),
    "expire": ("shop.orders", "shop.orders --older-than 90d --delete"),
    "who": ("shop.orders", "shop.orders.cust_id"),
    "contract": ("register contracts/daily_report.yaml", "list shop.orders", "remove shop.orders daily_report"),
    "contract register": ("contracts/daily_report.yaml", "contracts/daily_report.yaml --dry-run"),
    "contract list": ("", "shop.orders"),
    "contract remove": ("shop.orders daily_report",),
    "waive": ("shop.orders FIELD_DROPPED note --until 3d --reason INC-7", "shop.orders --list"),
    "help": ("evolve",),
    "options": ("",),
    "completion": ("bash", "fish"),
}


def lines(prog: str, name: str) -> list[str]:
    """Return the lines of a command; none for one that has none."""
    return [f"{prog} {name} {line}".rstrip() for line in EXAMPLES.get(name, ())]

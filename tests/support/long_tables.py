"""A table of many versions in a bucket, put there at once: whoever commits to it first reads all of them."""

import json
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from typing import Any

from airflow_provider_schemas.store.table import Table
from tests.servers.bucket import Bucket
from tests.support.stores import open_store

NAME = "shop.orders"
_FOLDER = "lake/shop.db/orders/schema"
_NUMBERS = count(1)


def open_long_table(bucket: Bucket, **settings: Any) -> Table:
    """Return the table as a new process opens it, which does not know yet that the storage refuses to write a file twice."""
    options = bucket.storage_options
    options["config_kwargs"] = {**options.get("config_kwargs", {}), "user_agent_extra": f"process/{next(_NUMBERS)}"}
    return open_store(bucket, storage_options=options, **settings).table(NAME)


def long_table(bucket: Bucket, columns: str, versions: int) -> None:
    """Make a table of so many versions, the newest of which names a checkpoint."""
    open_store(bucket).create_table(NAME, columns)
    files = bucket.filesystem()
    first = json.loads(files.cat_file(_path(bucket, 0)))
    last = versions - 2

    def put(number: int) -> None:
        version = {key: value for key, value in first.items() if key != "schemas" or number == last}
        files.pipe_file(_path(bucket, number), json.dumps(version | {"id": number}).encode())

    with ThreadPoolExecutor(16) as pool:
        list(pool.map(put, range(1, versions - 1)))
    open_long_table(bucket).evolve("SET OPTION lived = yes")


def _path(bucket: Bucket, number: int) -> str:
    return f"{bucket.name}/{_FOLDER}/schema-{number}"

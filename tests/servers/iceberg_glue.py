"""Glue and S3 for tests of Iceberg: moto, through a proxy that writes down each request."""

from collections.abc import Callable
from typing import Any, NamedTuple

from tests.servers.bucket import Bucket
from tests.servers.faulty import Proxy
from tests.servers.process import HOST
from tests.servers.s3 import REGION


class IcebergGlue(NamedTuple):
    """A database of Glue whose tables lie in a bucket."""

    bucket: Bucket
    proxy: Proxy
    """What the mount asks goes through it."""
    database: str

    def client(self, *, watched: bool = True) -> Any:
        """A catalog of pyiceberg."""
        from pyiceberg.catalog.glue import GlueCatalog

        endpoint = f"http://{HOST}:{self.bucket.port if watched else self.bucket.storage.port}"
        properties = {"glue": endpoint, "s3": endpoint}
        return GlueCatalog(
            "glue",
            **{f"{service}.endpoint": address for service, address in properties.items()},
            **{"client.region": REGION, "client.access-key-id": "testing", "client.secret-access-key": "testing"},
            warehouse=self.bucket.url("warehouse"),
        )


def iceberg_glue(bucket: Bucket, flawed: Callable[[Bucket], tuple[Bucket, Proxy]]) -> IcebergGlue:
    """A database of its own in a Glue that other tests use, too."""
    behind, proxy = flawed(bucket)
    glue = IcebergGlue(behind, proxy, bucket.name.replace("-", "_"))
    glue.client(watched=False).create_namespace(glue.database)
    return glue

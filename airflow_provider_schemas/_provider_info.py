"""What Airflow is told about this provider: pure data, because Airflow reads it while it is being imported itself.

Whatever raises here stops every `import airflow` of the installation. So nothing is imported, nothing is looked up, and what
is named is the business of tests/provider/test_provider_info.py.
"""

from typing import Any

_NAME = "Schemas"
_TEXT = ["string", "null"]


def get_provider_info() -> dict[str, Any]:
    """The provider as Airflow's discovery wants it."""
    return {
        "package-name": "airflow-provider-schemas",
        "name": _NAME,
        "description": "The schema registry for tables, without a server: evolve schemas safely and stop jobs before they break.",
        "integrations": [{"integration-name": _NAME, "tags": ["software"]}],
        "operators": [
            _modules(
                "operators.approval",
                "operators.create",
                "operators.decorated",
                "operators.evolution",
                "operators.evolve",
                "operators.gate",
                "operators.guard",
                "operators.fleet_guard",
                "operators.restore",
                "operators.spark_audit",
                "operators.spark_infer",
                "operators.spark_validate",
                "operators.validate",
            )
        ],
        "sensors": [_modules("sensors.contract", "sensors.version")],
        "hooks": [_modules("hooks.schema_store")],
        "triggers": [_modules("triggers.contract", "triggers.event", "triggers.version")],
        "connection-types": [_connection_type()],
        "extra-links": [
            "airflow_provider_schemas.tasks.output.extra_links.ApprovalLink",
            "airflow_provider_schemas.tasks.output.extra_links.ChangedByLink",
        ],
        "task-decorators": [{"name": "schema_gate", "class-name": "airflow_provider_schemas.operators.decorated.schema_gate"}],
        "notifications": ["airflow_provider_schemas.notifications.notifier.SchemaNotifier"],
        "config": {"schemas": _config()},
        "cli": ["airflow_provider_schemas.cli.airflow_plugin.commands"],
        "asset-uris": [
            {
                "schemes": ["schemas"],
                "handler": "airflow_provider_schemas.assets.sanitize_uri",
                "factory": "airflow_provider_schemas.assets.create_asset",
                "to_openlineage_converter": "airflow_provider_schemas.assets.to_openlineage_dataset",
            }
        ],
    }


def _modules(*names: str) -> dict[str, Any]:
    return {"integration-name": _NAME, "python-modules": [f"airflow_provider_schemas.{name}" for name in names]}


def _config() -> dict[str, Any]:
    return {
        "description": "What holds for all gates of this Airflow.",
        "options": {
            "register_contracts": {
                "description": "Whether gates, guards and sensors register the contracts that they are given, so that whoever changes a "
                "table is told whom it breaks. With False none does, whatever its author says.",
                "version_added": "0.1.0",
                "type": "boolean",
                "example": "False",
                "default": "True",
            },
            "contract_urls": {
                "description": "Folders, separated by commas, from which tasks may read the files that their arguments name "
                "(reads, writes, policy, target, contract): URLs such as s3://bucket/contracts, or absolute paths, each with all "
                "that lies in it. The bundle of the DAG and the registry of the task's connection may be read in any case, and "
                "nothing else without this option: an argument may come out of a template, and whoever starts a run fills that.",
                "version_added": "0.1.0",
                "type": "string",
                "example": "s3://acme-config/contracts, https://git.acme.org/data/contracts/",
                "default": "",
            },
            "ui_connections": {
                "description": "The ids of the connections, separated by commas, whose tables the page Schemas shows to whoever may read "
                "assets. The tables of any other connection are shown to whoever may read that connection.",
                "version_added": "0.1.0",
                "type": "string",
                "example": "lake,lake_raw",
                "default": "",
            },
            "ui_seconds": {
                "description": "So many seconds may pass until a page about schemas is shown in the UI; then it answers 503, and the API "
                "server goes on with others.",
                "version_added": "0.1.0",
                "type": "float",
                "example": "5",
                "default": "2",
            },
        },
    }


def _connection_type() -> dict[str, Any]:
    return {
        "connection-type": "schema_store",
        "hook-class-name": "airflow_provider_schemas.hooks.schema_store.SchemaStoreHook",
        "hook-name": "Schema store",
        "ui-field-behaviour": {
            "hidden-fields": ["port", "schema", "login", "password"],
            "relabeling": {"host": "Warehouse URI"},
            "placeholders": {"host": "s3://bucket/warehouse, or a folder that all workers have"},
        },
        "conn-fields": {
            "storage_conn_id": _field(
                "Storage connection",
                "The id of the connection that opens the storage: one of AWS, Google Cloud or Azure. Without it, the environment decides.",
            ),
            "storage_options": {
                "label": "Storage options",
                "description": 'Where there is no storage connection: a JSON object such as {"endpoint_url": "http://minio:9000"}.',
                "schema": {"type": ["object", "null"]},
            },
            "registry": _field(
                "Registry URI",
                "Where contracts, policies, waivers and plans lie; the folder _schemas of the warehouse, if nothing is said.",
            ),
            "registry_conn_id": _field(
                "Registry connection",
                "The id of the connection that opens the registry, where the storage connection does not.",
            ),
            "registry_id": _field(
                "Registry id",
                "What registry-id.json in the registry holds. Where it is another one, or is not mounted, tasks fail and are tried again.",
            ),
            "layout": _field(
                "Layout",
                "How the warehouse keeps schemas; found out from the tables that are there, if nothing is said.",
                enum=["paimon", "mini-paimon", "registry"],
            ),
            "catalog": _field(
                "Catalog", "What else keeps the tables: hive, glue, rest. Such tables are judged, and never changed from here."
            ),
            "mounts": {
                "label": "Mounts",
                "description": "Databases that others keep: a JSON object by the name of the database, such as "
                '{"shop": {"source": "iceberg", "conn_id": "iceberg_rest", "namespace": "prod.shop"}, '
                '"raw": {"source": "delta", "url": "s3://lake/raw"}}.',
                "schema": {"type": ["object", "null"]},
            },
            "team": _field("Team", "Whose contracts are registered over this connection."),
            "alias": _field(
                "Alias", "What stands for the warehouse in the addresses of assets; the id of the connection, if nothing is said."
            ),
            "read_only": _flag("Read only", "Refuse to write: gates judge, and register nothing."),
            "look": {
                "label": "Look at data",
                "description": "Let gates read the footer of the newest data file of tables that the registry only describes.",
                "schema": {"type": ["boolean", "null"], "default": True},
            },
            "at_once": {
                "label": "Requests at once",
                "description": "How many requests may be under way to an object store at the same time.",
                "schema": {"type": ["integer", "null"], "minimum": 1, "maximum": 1000, "default": 64},
            },
            "single_writer": _flag(
                "Single writer",
                "Promise that nobody else writes at the same time, for a storage that cannot keep writers apart.",
            ),
        },
    }


def _field(label: str, description: str, **more: Any) -> dict[str, Any]:
    return {"label": label, "description": description, "schema": {"type": _TEXT, **more}}


def _flag(label: str, description: str) -> dict[str, Any]:
    return {"label": label, "description": description, "schema": {"type": ["boolean", "null"], "default": False}}

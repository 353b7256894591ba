"""Our types as those of pyiceberg, for new columns and widened ones."""

from typing import TYPE_CHECKING, Any

from airflow_provider_schemas.core.types.atomic import AtomicType, DataType
from airflow_provider_schemas.core.types.nested import ArrayType, MapType, RowType
from airflow_provider_schemas.errors import ChangeError
from airflow_provider_schemas.formats.iceberg.leaf_types import iceberg_leaf

if TYPE_CHECKING:
    from pyiceberg.types import IcebergType

# pyiceberg gives the ids: it replaces these.
_NO_ID = 0


def peer_type(kind: DataType, path: str) -> "IcebergType":
    """Return the type as pyiceberg's, or raise a ChangeError if Iceberg cannot hold it."""
    from pyiceberg.types import IcebergType

    return IcebergType.model_validate(_json(kind, path))


def _json(kind: DataType, path: str) -> Any:
    if isinstance(kind, RowType):
        return {"type": "struct", "fields": [_field(field, path) for field in kind.fields]}
    if isinstance(kind, ArrayType):
        element = kind.element
        return {
            "type": "list",
            "element-id": _NO_ID,
            "element": _json(element, f"{path}.element"),
            "element-required": not element.nullable,
        }
    if isinstance(kind, MapType):
        return _map(kind, path)
    if isinstance(kind, AtomicType):
        return _leaf(kind, path)
    raise _no_type(kind, path)


def _field(field: Any, path: str) -> dict[str, Any]:
    inner = f"{path}.{field.name}"
    if field.default is not None:
        message = "a field inside a new column cannot have a default here."
        raise ChangeError(message, code="iceberg.nested-default", path=inner, fix="Add the column first, then set the default.")
    return {
        "id": _NO_ID,
        "name": field.name,
        "type": _json(field.type, inner),
        "required": not field.type.nullable,
        "doc": field.description,
    }


def _map(kind: MapType, path: str) -> dict[str, Any]:
    return {
        "type": "map",
        "key-id": _NO_ID,
        "key": _json(kind.key, f"{path}.key"),
        "value-id": _NO_ID,
        "value": _json(kind.value, f"{path}.value"),
        "value-required": not kind.value.nullable,
    }


def _leaf(kind: AtomicType, path: str) -> str:
    leaf = iceberg_leaf(kind, None)
    if leaf.what:
        message = f"Iceberg cannot hold {kind.with_nullable(True)}."
        fix = f"Use the type that Iceberg calls {leaf.text}, or another that it has."
        raise ChangeError(message, code="iceberg.no-such-type", path=path, fix=fix)
    return leaf.text


def _no_type(kind: DataType, path: str) -> ChangeError:
    message = f"Iceberg has no {kind.root.name}."
    return ChangeError(message, code="iceberg.no-such-type", path=path, fix="Use ROW, ARRAY, MAP or a type without parts.")

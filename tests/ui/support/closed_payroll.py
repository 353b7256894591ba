"""An auth manager that shows one DAG to admins alone: the simple one knows roles, and no DAGs."""

from airflow.api_fastapi.auth.managers.base_auth_manager import ResourceMethod
from airflow.api_fastapi.auth.managers.models.resource_details import DagAccessEntity, DagDetails
from airflow.api_fastapi.auth.managers.simple.simple_auth_manager import SimpleAuthManager
from airflow.api_fastapi.auth.managers.simple.user import SimpleAuthManagerUser

from tests.ui.support.closed import CLOSED_DAG


class ClosedPayroll(SimpleAuthManager):
    """The simple auth manager, but for one DAG."""

    def is_authorized_dag(
        self,
        *,
        method: ResourceMethod,
        user: SimpleAuthManagerUser,
        access_entity: DagAccessEntity | None = None,
        details: DagDetails | None = None,
    ) -> bool:
        """Say no where the DAG is closed and the user is no admin."""
        if details is not None and details.id == CLOSED_DAG and user.role != "admin":
            return False
        return super().is_authorized_dag(method=method, user=user, access_entity=access_entity, details=details)

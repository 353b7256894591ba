"""The events of a chain as data: their names and tags, and how names may be spelled."""

from enum import StrEnum
from typing import Final

from airflow_provider_schemas.formats.odf.model.kinds import spellings


class EventKind(StrEnum):
    """The events of a chain, in the order of their tags, which begin at 1."""

    ADD_DATA = "AddData"
    EXECUTE_TRANSFORM = "ExecuteTransform"
    SEED = "Seed"
    SET_POLLING_SOURCE = "SetPollingSource"
    SET_TRANSFORM = "SetTransform"
    SET_VOCAB = "SetVocab"
    SET_ATTACHMENTS = "SetAttachments"
    SET_INFO = "SetInfo"
    SET_LICENSE = "SetLicense"
    SET_DATA_SCHEMA = "SetDataSchema"
    ADD_PUSH_SOURCE = "AddPushSource"
    DISABLE_PUSH_SOURCE = "DisablePushSource"
    DISABLE_POLLING_SOURCE = "DisablePollingSource"


EVENT_TAGS: Final = {kind: tag for tag, kind in enumerate(EventKind, 1)}
EVENTS: Final = {tag: kind for kind, tag in EVENT_TAGS.items()}
SPELLED_EVENTS: Final = spellings(EventKind)

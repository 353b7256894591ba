"""Which versions are still in use, and which may be deleted, in reading order.

collect_references.py   who needs which version, from all that the store knows
references.py           the data and branches of a table that need versions
mounted_references.py   the schemas that live data of a mounted table need, as its source says
schema_ids_in_use.py    the versions that snapshots, tags and manifests of a Paimon table name
expiry.py               delete versions that nobody needs, and that were superseded long ago
"""

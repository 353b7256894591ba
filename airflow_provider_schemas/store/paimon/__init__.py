"""Paimon's own files beside the schemas: snapshots, manifests and their rows. `formats/avro` reads the Avro files.

In the order in which they are best read:

    snapshots.py        the snapshots, changelogs and tags of a branch: which schema and which manifest lists each names
    manifests.py        manifest lists and manifests: which schema ids they name
    manifest_cache.py   what is known of manifests, so that each is read once in its life
    binary_row.py       the rows in which manifests name partitions
"""

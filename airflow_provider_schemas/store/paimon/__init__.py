"""Paimon's own files beside the schemas: snapshots, manifests and their encodings.

In the order in which they are best read:

    snapshots.py        the snapshots, changelogs and tags of a branch: which schema and which manifest lists each names
    manifests.py        manifest lists and manifests: which schema ids they name
    manifest_cache.py   what is known of manifests, so that each is read once in its life
    avro_records.py     a few fields of the records in an Avro file
    avro_schema.py      the schema of an Avro file, and whether its records are safe to read
    avro_container.py   the header and the blocks of an Avro file
    avro_codecs.py      how blocks are unpacked, and how far
    avro_errors.py      the errors about Avro files
    binary_row.py       the rows in which manifests name partitions
"""

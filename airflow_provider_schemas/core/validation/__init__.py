"""The checks of a schema that is created or changed.

- validity: the order of all checks, and the reports that they make
- checklist: what a check is, and which checks a table needs
- facts: a schema as the checks look at it
- columns, keys: names, ids, types, defaults, primary keys, partition keys and buckets
- aliases, case_collisions, portability: names that jobs or other engines confuse
- scan, merge_engines, changelog, clustering: options of reading, merging, changelogs and sorting
- file_formats, map_layouts, indexes, blobs: what data files and indexes can hold
"""

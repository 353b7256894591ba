"""The data files that a Paimon table has now, as its manifests and folders name them.

- `manifest_reader`: the newest snapshot, and the manifests that it names
- `manifest_entries`: the data files that the manifests leave in the end
- `partition_values`: the values of a partition, from the row in a manifest
- `partition_names`: the names that the folder of a partition may have
- `partition_folders`: the folder that a partition really has
- `unsupported_tables`: tables of which the data files are not the whole truth
- `live_files`: every data file with its path, its version and its partition, for who reads the table
- `partition_search`: a partition that a user names, compared with the rows in the manifests
- `landed_files`: how many files a partition has, and with which versions they were written, for who waits for them
"""

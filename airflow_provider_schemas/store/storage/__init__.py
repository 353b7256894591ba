"""The storages: local disks, object stores, and whatever else fsspec reaches.

In the order in which they are best read:

    files.py              the protocol: list, walk, read, create, put, delete
    guarantees.py         what each kind of storage promises about new files
    exclusive_create.py   the create that one of all writers wins, and the proof that a storage keeps its promise
    numbered_files.py     files with a prefix and a number, of which the next one is created
    commit_steps.py       the steps of a commit, at which tests stop a writer
    local.py              files on a disk; `disk/` has its parts
    object_storage.py     how the files below an address are opened
    remote_files.py       files on anything that fsspec reaches; `remote/` has its parts
    files_snapshot.py     the answers of storages during one judgement
    rehearsal_files.py    files that are read from a root and written into memory: what a write would do
    requests_at_once.py   many requests to object stores at once
    version_cache.py      versions that were read
    folder_print.py       a digest of a folder that changes when any file does
    errors.py             our errors of what went wrong
    error_kinds.py        how the kind of an error is told from the exception of a library
    chained_errors.py     secrets hidden in the errors behind ours
"""

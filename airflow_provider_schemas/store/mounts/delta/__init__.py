"""Delta tables as a mounted database: their logs are read by us, without a catalog and without a library of Delta.

mount.py           DeltaMount: the Delta tables below an address
table_folders.py   which folders are tables
log_names.py       the names of the files of a log: commits, checkpoints, compacted commits
log_folder.py      what lies in a log, in as few listings as it takes
log_content.py     what commits and checkpoints say of the schema
log_state.py       the schemas that a log tells of, up to its newest commit
read_log.py        the state of a log: where to begin, and what may go wrong while others write
past_log.py        what a log says of the time before its newest checkpoint
look.py            what one look at a table found
metadata_faults.py what is wrong with the metadata itself
"""

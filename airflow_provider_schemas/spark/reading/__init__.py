"""Old data read as the newest schema has it. `read_table` in read_table.py shows the order of an evolved read. In reading order:

read_table          the order: files, what each holds, scans, projections, one frame
request             what is read: the table, its version, and the columns as a `ReadTarget`
selected_columns    the columns that are asked for by name or by a contract
contract_columns    those of a contract: its names, its order, its types
file_pruning        the files that a predicate leaves
known_values        what folders and manifests say of columns before a file is opened
row_filter          the predicate: Spark's own `where`, and what it leaves of folders
scan_planning       files put together into the fewest scans
scan                a scan as a frame of Spark
project_columns     old columns as the wanted ones, in Spark's SQL
bad_values          what becomes of a value without a counterpart
field_id_metadata   columns that carry the ids of their fields
read_alias          the name by which a plan tells which table a frame holds
summary             what a read does, in a few lines for the log
"""

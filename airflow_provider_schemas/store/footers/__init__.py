"""What the footers of data files say of their columns, and which version of a table each file was written with.

- `described`: tables of which the store keeps a description only, and where their data lie
- `folder_keys`, `folder_values`: the keys in the names of folders, and their values
- `keepers`: the formats of tables that keep a folder
- `newest_file`: the newest data files of a folder, in a few listings
- `parquet_tree`: the tree of groups and columns in a Parquet file
- `footer`: the columns of a file, one value for all files with the same ones
- `read_footer`: a footer read with pyarrow
- `type_likeness`: whether a column of a file may be one of a version
- `known_fields`: what the versions of a table call a field, and its types
- `bound_folders`: the files that users bound to a version
- `resolve_schema`: the schema that a file was written with, or why nobody can tell
- `look`: the footers of the newest files of a described table, or why they were not read
- `explained_file`, `file_columns`: the newest file, beside the versions and beside what a job needs
- `binding_remedy`: the commands that bind a file to a version
"""

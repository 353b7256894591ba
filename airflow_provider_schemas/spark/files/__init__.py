"""Data files: where they lie, and with which schema each of them was written. In reading order:

data_file            one file
discovery            which files a table has: by Paimon's manifests, at its location, or in a folder that is passed
folder               plain folders: one listing through Spark, of one folder or of hundreds
folder_tree          folders of partitions, without those of which no row is wanted
kept_folders         folders that a format of tables keeps are refused
kept_suspects        which of many folders such a format may keep
footers              what files say of themselves, read on the driver and remembered
executor_footers     the same of many files, read by executors
parquet_schema_text  the text of a Parquet schema as fields
file_schemas         what each file holds, with the ids of the table
partition_values     the value of a partition, and how it comes into the rows
paths hadoop         paths as Spark takes them; answers of Hadoop's file systems
"""

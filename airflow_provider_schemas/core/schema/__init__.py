"""The schema of a table, its versions, its file, and its options.

- table_schema: one version of a schema, as an immutable value
- file_size: schemas whose file would be too large for any reader
- version: a stored schema with its number, digest and provenance
- revision: the commit of a repository from which a change came
- history: the schemas that a table had before, by column
- schema_file, strict_schema_file, unknown_keys, java_json: the file, read strictly, read tolerantly, and written
- create_request, key_lists, comment_directives: what a new table is asked to be
- table_options, attribute_options, field_attributes: options, and attributes of fields and of the table
- foreign_attributes: what a source adds that our types have no place for
- field_lookup, field_names: the fields as jobs name them
"""

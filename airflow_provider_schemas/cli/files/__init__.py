"""Plain files that a command line names: read, written, and recognized by their language.

What is here, in reading order:

    local_io          the bytes of a file or of standard input
    schema_files      the language of a file, and the schema in it
    file_kinds      what a file of a folder is, without parsing it
    schema_folders    the table files of a folder
    odf_files         schemas of ODF: in a document, in a block, in a chain
"""

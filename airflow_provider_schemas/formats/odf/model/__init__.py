"""The values of an ODF schema: fields, types, attributes and encodings."""

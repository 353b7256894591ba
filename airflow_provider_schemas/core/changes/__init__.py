"""Changes of a schema as values, read from text and written as text.

- schema_change: a value per kind of change, and the REST form
- short_text: the text that people type, such as ADD COLUMN coupon STRING
- parse: lists of changes in any of these forms
- field_paths: the way from a column down to a field, an element or a map value
- masking: changes without secrets
"""

"""ODF schemas from SQL column lists."""

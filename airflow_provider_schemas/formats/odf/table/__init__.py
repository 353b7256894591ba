"""ODF schemas as table schemas of the core, and back."""

"""The check of a change: findings, old data, broken contracts, and how to fix them."""

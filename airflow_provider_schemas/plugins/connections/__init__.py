"""Connections that may be shown, and the stores behind them."""

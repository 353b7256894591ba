"""The one error that these tools show: a sentence for the person who typed the command."""


class SetupError(Exception):
    """Stop the setup with one clear sentence."""

"""The application behind the page, built at its first request."""

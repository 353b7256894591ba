"""Flatbuffers as ODF lays them out, read and written."""

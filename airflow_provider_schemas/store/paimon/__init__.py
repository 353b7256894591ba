"""Paimon's own files beside the schemas: snapshots, manifests and their encodings."""

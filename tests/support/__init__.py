"""Fakes that stand at the edge of the world only: a clock, a model server, a file system that loses writes."""

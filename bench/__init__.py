"""Benchmarks: `make bench` for speed, `make bench-cost` for what learning costs. Never part of the tests."""

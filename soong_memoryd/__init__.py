"""soong-memoryd: long-term memory of one user, shared by all the agents that user runs."""

__version__ = "0.1.0"

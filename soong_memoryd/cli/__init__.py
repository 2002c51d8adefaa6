"""The command lines. Standard library and soong_memory_client only."""

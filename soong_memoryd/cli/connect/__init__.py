"""Writing soong-memory into the configuration of other people's tools, and out of it again."""

"""SQL, one module a table group. Each function takes a connection inside the writer's transaction."""

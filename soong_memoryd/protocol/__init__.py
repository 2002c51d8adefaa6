"""What crosses the socket: the method table, its models, error codes and framing. Knows no socket, file or database."""

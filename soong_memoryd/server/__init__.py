"""The daemon: the socket, the connections, the handlers, and the one place that wires everything."""

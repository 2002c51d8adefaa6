// What can go wrong in a call, as the caller tells it apart: each error has a stable `code`.
//
// Owns: the classes. Must not know: sockets, files. No text carries user text or a rejected value.

/** Root of every error that this package throws on purpose. */
export class MemoryClientError extends Error {
  /** @param {string} code @param {string} message @param {ErrorOptions} [options] */
  constructor(code, message, options) {
    super(message, options);
    this.name = new.target.name;
    this.code = code;
  }
}

/** The socket's path does not fit into a socket address; the text names the variable to set. */
export class SocketPathError extends MemoryClientError {
  /** @param {string} message */
  constructor(message) {
    super("socket_path", message);
  }
}

/** No daemon answers at the socket: none there, refused, or it closed the connection before it answered. */
export class DaemonUnavailable extends MemoryClientError {
  /** @param {string} message @param {string} [code] @param {ErrorOptions} [options] */
  constructor(message, code = "daemon_unavailable", options = undefined) {
    super(code, message, options);
  }
}

/** The daemon is there and did not answer in time; whether the call took effect is unknown. */
export class DeadlineExceeded extends DaemonUnavailable {
  /** @param {string} message */
  constructor(message) {
    super(message, "deadline_exceeded");
  }
}

/** The socket, or the directory that holds it, is not this user's alone; nothing was sent. */
export class UntrustedServer extends MemoryClientError {
  /** @param {string} message */
  constructor(message) {
    super("untrusted_server", message);
  }
}

/** The outbox has reached its bound, or the disk refuses: the call was neither sent nor kept. */
export class OutboxFull extends MemoryClientError {
  /** @param {string} message @param {ErrorOptions} [options] */
  constructor(message, options) {
    super("outbox_full", message, options);
  }
}

/** The daemon's error reply: `number` is the JSON-RPC code, `code` and `data` are those of `error.data`. */
export class RpcError extends MemoryClientError {
  /** @param {number} number @param {string} code @param {string} message @param {Record<string, unknown>} data */
  constructor(number, code, message, data) {
    super(code, message ? `${code}: ${message}` : code);
    this.number = number;
    this.data = data;
  }

  /** True when the same call may succeed later. */
  get retryable() {
    return this.data.retryable === true;
  }

  /** The daemon's own next step, or an empty string. */
  get hint() {
    return String(this.data.hint ?? "");
  }

  /** @param {any} error the `error` member of a reply @returns {RpcError} */
  static from(error) {
    const data = typeof error?.data === "object" && error.data !== null ? error.data : {};
    const number = Number.isInteger(error?.code) ? error.code : -32603;
    return new RpcError(number, String(data.code ?? "internal"), String(error?.message ?? ""), data);
  }
}

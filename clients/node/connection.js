// One connection to the daemon: a line out, a line back, several calls at once.
//
// Owns: the socket and the bytes that are still half a line. Must not know: methods, the outbox.

import net from "node:net";
import { alarm } from "./alarm.js";
import { DaemonUnavailable, DeadlineExceeded, RpcError } from "./errors.js";
import { checkOwner } from "./paths.js";

const MAX_REPLY_BYTES = 32 << 20;
const NEWLINE = 0x0a;

/** One line, newline included. Half characters (lone surrogates) become U+FFFD: no daemon takes them. @param {object} message */
export function encode(message) {
  const whole = (/** @type {string} */ _key, /** @type {unknown} */ value) =>
    typeof value === "string" ? value.replace(/\p{Surrogate}/gu, "\ufffd") : value;
  return Buffer.from(JSON.stringify(message, whole) + "\n", "utf8");
}

/** A connection that is open until `closed`; calls may overlap, and the daemon keeps their order. */
export class Connection {
  closed = false;
  /** @type {Map<string, {resolve: (value: any) => void, reject: (error: Error) => void}>} */
  #waiting = new Map();
  /** @type {Buffer[]} */
  #chunks = [];
  #bytes = 0;

  /** @param {net.Socket} socket @param {(event: any) => void} onEvent */
  constructor(socket, onEvent) {
    this.#socket = socket;
    this.#onEvent = onEvent;
    socket.on("data", (chunk) => this.#take(/** @type {Buffer} */ (chunk)));
    socket.on("error", () => this.close());
    socket.on("close", () => this.close());
    socket.unref(); // an idle connection keeps no program alive; a call in flight does, by its timer
  }
  #socket;
  #onEvent;

  /**
   * @param {string} path @param {number} timeoutMs @param {(event: any) => void} onEvent
   * @returns {Promise<Connection>}
   * @throws {DaemonUnavailable | import("./errors.js").UntrustedServer}
   */
  static async open(path, timeoutMs, onEvent) {
    await checkOwner(path);
    return new Promise((resolve, reject) => {
      const socket = net.connect({ path });
      const fail = (/** @type {Error} */ error) => {
        cancel();
        socket.destroy();
        reject(error);
      };
      const cancel = alarm(timeoutMs, () => fail(new DeadlineExceeded("the daemon does not accept in time")));
      socket.once("error", (cause) => fail(new DaemonUnavailable(`no daemon answers at ${path}`, undefined, { cause })));
      socket.once("connect", () => {
        cancel();
        socket.removeAllListeners("error");
        resolve(new Connection(socket, onEvent));
      });
    });
  }

  /**
   * Send a request and return its result.
   * @param {{id: string}} request @param {number} timeoutMs @returns {Promise<any>}
   * @throws {RpcError | DaemonUnavailable | DeadlineExceeded}
   */
  call(request, timeoutMs) {
    if (this.closed) return Promise.reject(new DaemonUnavailable("the daemon closed the connection"));
    return new Promise((resolve, reject) => {
      const cancel = alarm(timeoutMs, () => {
        this.#waiting.delete(request.id);
        if (this.#waiting.size === 0) this.close(); // nobody else waits: the next call tries a fresh one
        reject(new DeadlineExceeded("no answer in time"));
      });
      const ended = (/** @type {(value: any) => void} */ settle) => (/** @type {any} */ value) => {
        cancel();
        settle(value);
      };
      this.#waiting.set(request.id, { resolve: ended(resolve), reject: ended(reject) });
      this.#socket.write(encode(request));
    });
  }

  /** Keep the program running for events that may come. */
  ref() {
    this.#socket.ref();
  }

  /** Close it; calls in flight fail. */
  close() {
    if (this.closed) return;
    this.closed = true;
    this.#socket.destroy();
    for (const { reject } of this.#waiting.values()) reject(new DaemonUnavailable("the daemon closed the connection"));
    this.#waiting.clear();
  }

  /** @param {Buffer} chunk */
  #take(chunk) {
    let end;
    while ((end = chunk.indexOf(NEWLINE)) >= 0) {
      const line = Buffer.concat([...this.#chunks, chunk.subarray(0, end)]);
      [this.#chunks, this.#bytes] = [[], 0];
      chunk = chunk.subarray(end + 1);
      if (line.length && !this.closed) this.#line(line);
    }
    if (chunk.length) this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    if (this.#bytes > MAX_REPLY_BYTES) this.close();
  }

  /** @param {Buffer} line */
  #line(line) {
    let message;
    try {
      message = JSON.parse(line.toString("utf8"));
    } catch {
      return this.close(); // what answers at the socket does not speak JSON-RPC
    }
    if (message?.method === "event") return this.#onEvent(message.params);
    if (message?.id === null && message.error) {
      // the daemon could not read a line, so it cannot say whose: the oldest call's, since they go out in order
      const [oldest] = this.#waiting.keys();
      message = { ...message, id: oldest };
    }
    const waiting = this.#waiting.get(message?.id);
    if (waiting === undefined) return undefined; // an answer that nobody waits for any more
    this.#waiting.delete(message.id);
    return message.error ? waiting.reject(RpcError.from(message.error)) : waiting.resolve(message.result);
  }
}

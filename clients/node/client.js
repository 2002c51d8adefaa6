// The client: every method of the wire as a function, durable ones by way of the outbox.
//
// Owns: the order of calls, and when to connect. Must not know: file formats, socket details.

import { randomBytes } from "node:crypto";
import { within } from "./alarm.js";
import { Connection } from "./connection.js";
import { DaemonUnavailable, DeadlineExceeded, RpcError } from "./errors.js";
import { Outbox, groups, keeps } from "./outbox.js";
import { homePath, outboxDirectory, socketPath } from "./paths.js";
import { METHODS, PROTOCOL_VERSION } from "./protocol.js";

/** @type {Set<string>} */
const DURABLE = new Set(Object.values(METHODS).flatMap(({ method, durable }) => (durable ? [method] : [])));

const behindOthers = () => new DeadlineExceeded("calls before this one are still being sent");
const QUIET_MS = 30_000; // a daemon that did not answer in time is not asked to take the backlog again at once

/** See `index.d.ts` for the types of the methods that are added below. */
export class MemoryClient {
  /** Called with each event after `eventsSubscribe`. @type {((event: any) => void) | null} */
  onEvent = null;
  #name;
  #version;
  #timeoutMs;
  #outbox;
  /** @type {Connection | null} */
  #connection = null;
  /** the handshake and socket of a connection that is being made @type {Promise<Connection> | null} */
  #connecting = null;
  #quietUntil = 0;
  /** ends when every durable call so far has been sent or given to the daemon @type {Promise<unknown>} */
  #turn = Promise.resolve();

  /** @param {string} name @param {import("./index.d.ts").ClientOptions} [options] */
  constructor(name, { home, socket, timeoutMs = 5000, outbox = true, version = "" } = {}) {
    this.socketPath = socketPath({ home, socket });
    this.#name = name;
    this.#version = version;
    this.#timeoutMs = timeoutMs;
    this.#outbox = outbox ? new Outbox(outboxDirectory(homePath(home)), name) : null;
  }

  /**
   * Any method. Durable ones go by way of the outbox; others are sent now, after every durable call before them.
   * @param {string} method @param {object} [params] @param {{timeoutMs?: number}} [options] @returns {Promise<any>}
   */
  async call(method, params = {}, { timeoutMs = this.#timeoutMs } = {}) {
    const request = newRequest(method, params);
    const deadline = Date.now() + timeoutMs;
    if (DURABLE.has(method)) return this.#durable([request], timeoutMs, true).delivered;
    await within(this.#turn, timeoutMs, behindOthers);
    return this.#exchange(request, deadline);
  }

  /**
   * Write durable calls to the outbox, all on disk when this returns, and send them in the background.
   * @param {Array<[method: string, params: object]>} calls
   * @throws {import("./errors.js").OutboxFull}
   */
  async enqueue(calls) {
    if (this.#outbox === null) throw new TypeError("this client has no outbox");
    if (calls.some(([method]) => !DURABLE.has(method))) throw new TypeError("only durable calls may wait in an outbox");
    const made = groups(calls.map(([method, params]) => newRequest(method, params)));
    await Promise.all(made.map((requests) => this.#durable(requests, this.#timeoutMs, false).kept));
  }

  /** True when nothing waits any more; false when it does after `timeoutMs`. Never throws because the daemon is away. */
  async flush(timeoutMs = this.#timeoutMs) {
    const deadline = Date.now() + timeoutMs;
    const drained = this.#turn.then(() => this.#drained(deadline));
    this.#turn = drained.catch(() => {});
    return within(drained, timeoutMs, behindOthers).catch(() => false);
  }

  /** Close the connection; the next call opens another one. */
  close() {
    this.#connection?.close();
    this.#connection = null;
  }

  /** @param {import("./outbox.js").Request[]} requests @param {number} timeoutMs @param {boolean} own the caller waits */
  #durable(requests, timeoutMs, own) {
    const entry = this.#outbox?.next(requests) ?? null; // names are given in the order of the calls
    const kept = entry && this.#outbox ? this.#outbox.keep(entry) : Promise.resolve();
    const delivered = this.#turn.then(async () => {
      const full = await kept.then(() => null, (error) => error);
      if (full === null) return this.#deliver(entry, requests, timeoutMs, own);
      // a full disk, and nothing waits: it can go at once, and the order holds
      if (!own || (await this.#outbox?.isWaiting())) throw full;
      return this.#exchange(requests[0], Date.now() + timeoutMs);
    });
    this.#turn = delivered.catch(() => {});
    kept.catch(() => {}); // looked at when its turn comes
    return { kept, delivered };
  }

  /** @param {import("./outbox.js").Kept | null} entry @param {import("./outbox.js").Request[]} requests @param {number} timeoutMs @param {boolean} own */
  async #deliver(entry, requests, timeoutMs, own) {
    const deadline = Date.now() + timeoutMs;
    if (entry === null) return this.#exchange(requests[0], deadline);
    const outbox = /** @type {Outbox} */ (this.#outbox);
    if (await this.#drained(deadline)) return (await this.#sendKept(entry, deadline, own)).result;
    await outbox.publish(entry, 0);
    return null;
  }

  /** Send what is kept in one file; not `sent` when the rest of it was given to the daemon. @param {import("./outbox.js").Kept} entry @param {number} deadline @param {boolean} own */
  async #sendKept(entry, deadline, own) {
    const outbox = /** @type {Outbox} */ (this.#outbox);
    let result = null;
    for (const [place, request] of entry.requests.entries()) {
      try {
        result = await this.#exchange(request, deadline);
      } catch (error) {
        if (!(error instanceof RpcError) || keeps(error)) {
          if (error instanceof DeadlineExceeded) this.#quietUntil = Date.now() + QUIET_MS;
          await outbox.publish(entry, place);
          return { sent: false, result: null };
        }
        if (!own) await outbox.reject(request, error.code).catch(() => {});
        if (!own) continue;
        await outbox.settle(entry);
        throw error;
      }
    }
    await outbox.settle(entry);
    return { sent: true, result };
  }

  /** True when nothing waits in the outbox any more: what was given to the daemon while it was away is sent first. @param {number} deadline */
  async #drained(deadline) {
    const outbox = this.#outbox;
    if (outbox === null || !(await outbox.isWaiting())) return true;
    if (Date.now() < this.#quietUntil) return false;
    try {
      await this.#connected(deadline);
    } catch (error) {
      if (error instanceof DeadlineExceeded) this.#quietUntil = Date.now() + QUIET_MS;
      return false;
    }
    const taken = await outbox.reclaim();
    if (taken === null) return false;
    let answers = true;
    for (const kept of taken) {
      if (answers) answers = (await this.#sendKept(kept, deadline, false)).sent;
      else await outbox.publish(kept, 0);
    }
    return answers;
  }

  /** @param {import("./outbox.js").Request} request @param {number} deadline */
  async #exchange(request, deadline) {
    const reused = this.#connection !== null;
    try {
      return await (await this.#connected(deadline)).call(request, deadline - Date.now());
    } catch (error) {
      // only a connection that was open before may have ended for no reason
      if (!reused || !(error instanceof DaemonUnavailable) || error instanceof DeadlineExceeded) throw error;
    }
    return (await this.#connected(deadline)).call(request, deadline - Date.now());
  }

  /** @param {number} deadline @returns {Promise<Connection>} */
  async #connected(deadline) {
    if (this.#connection?.closed) this.#connection = null;
    if (this.#connection !== null) return this.#connection;
    this.#connecting ??= this.#connect(deadline).finally(() => (this.#connecting = null));
    return this.#connecting;
  }

  /** A new connection, introduced. @param {number} deadline */
  async #connect(deadline) {
    const connection = await Connection.open(this.socketPath, deadline - Date.now(), (event) => this.onEvent?.(event));
    const client = { name: this.#name, version: this.#version };
    const hello = newRequest("initialize", { protocol_version: PROTOCOL_VERSION, client });
    try {
      await connection.call(hello, deadline - Date.now());
    } catch (error) {
      connection.close();
      throw error;
    }
    if (this.onEvent !== null) connection.ref();
    return (this.#connection = connection);
  }
}

for (const [name, { method }] of Object.entries(METHODS)) {
  Object.defineProperty(MemoryClient.prototype, name, {
    value(/** @type {object} */ params, /** @type {object} */ options) {
      return this.call(method, params, options);
    },
  });
}

/** @param {string} method @param {object} params @returns {import("./outbox.js").Request} */
function newRequest(method, params) {
  return { jsonrpc: "2.0", id: randomBytes(12).toString("hex"), method, params };
}

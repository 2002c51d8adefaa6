// The outbox: JSON-RPC requests that the daemon has not acknowledged yet, in files that the daemon takes by itself.
//
// Owns: the files' names, when they come and go. Must not know: how a request is sent.
//
// Node has no `flock`, so it cannot append to `<client>.jsonl` as the Python client does. It writes whole files instead, each
// under a name of its own, which begins with the time and therefore sorts:
//   <client>-<time>-<pid>.unsent   kept before it is sent; nobody else looks at it
//   <client>-<time>-<pid>.jsonl    given to the daemon, which drains it at its start and every minute, under its own locks
// A file changes hands by `rename`, whole or not at all: given in the order of time, taken back from the newest on, so that
// what the daemon sees is never without what comes before it. While something waits, new calls wait behind it.

import fs from "node:fs";
import { mkdir, open, readdir, rename, stat, unlink } from "node:fs/promises";
import path from "node:path";
import { encode } from "./connection.js";
import { OutboxFull } from "./errors.js";

const CLIENT_NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,35}$/;
const MAX_OUTBOX_BYTES = 8 << 20;
const MAX_GROWN_BYTES = 256 << 10;
// Sent twice in a row they change nothing; sent again after later calls they would undo those.
const ORDER_SENSITIVE = new Set(["context.rewind", "session.close"]);
// The daemon may take the call later although it does not call the error retryable.
const KEPT_ERRORS = new Set(["read_only", "protocol_version"]);

let lastStamp = 0;
/** Files of this process that are not sent yet: given to the daemon when the process ends. @type {Map<string, string>} */
const unsent = new Map();
process.on("exit", () => {
  for (const [from, to] of [...unsent].sort()) {
    try {
      fs.renameSync(from, to);
    } catch {
      // it was taken or removed in this very moment, or the disk is gone
    }
  }
});

/** @typedef {{jsonrpc: "2.0", id: string, method: string, params: object}} Request */

/** Requests that are on disk and not acknowledged. */
export class Kept {
  /** @param {string} stem the path without its ending @param {Request[]} requests */
  constructor(stem, requests) {
    this.requests = requests;
    this.hidden = `${stem}.unsent`;
    this.public = `${stem}.jsonl`;
  }
}

/** True when a refused call stays for a later attempt. @param {import("./errors.js").RpcError} error */
export const keeps = (error) => error.retryable || KEPT_ERRORS.has(error.code);

/** Calls that may stand in one file: one that must not be repeated after later ones stands alone. @param {Request[]} requests */
export function groups(requests) {
  /** @type {Request[][]} */
  const made = [];
  for (const request of requests) {
    const alone = ORDER_SENSITIVE.has(request.method) || ORDER_SENSITIVE.has(made.at(-1)?.at(-1)?.method ?? "");
    if (alone || made.length === 0) made.push([request]);
    else made[made.length - 1].push(request);
  }
  return made;
}

/** The outbox of one client in `directory`; several processes may share it. */
export class Outbox {
  #directory;
  #name;
  #maxBytes;
  /** the file that was given to the daemon last, while calls may be added to it @type {Kept | null} */
  #grown = null;
  #ready = false;

  /** @param {string} directory @param {string} client @param {number} [maxBytes] */
  constructor(directory, client, maxBytes = MAX_OUTBOX_BYTES) {
    if (!CLIENT_NAME.test(client))
      throw new RangeError("a client's name is 1 to 36 of A-Z a-z 0-9 _ -, starting with a letter or digit");
    this.#directory = directory;
    this.#name = client;
    this.#maxBytes = maxBytes;
  }

  /** A name whose time is later than every other one's of this process. @param {Request[]} requests */
  next(requests) {
    lastStamp = Math.max(lastStamp + 1, Date.now());
    const stem = `${this.#name}-${lastStamp.toString(36).padStart(9, "0")}-${process.pid.toString(36)}`;
    return new Kept(path.join(this.#directory, stem), requests);
  }

  /** Write it to disk, synced. @param {Kept} kept @throws {OutboxFull} nothing of it was kept */
  async keep(kept) {
    const data = Buffer.concat(kept.requests.map(encode));
    try {
      await mkdir(this.#directory, { recursive: true, mode: 0o700 });
      if (!this.#ready) await this.#adopt();
      this.#ready = true;
      const { bytes } = await this.#waiting();
      if (bytes + data.length > this.#maxBytes)
        throw new OutboxFull(`the outbox holds ${bytes} of ${this.#maxBytes} bytes: is the daemon running?`);
      unsent.set(kept.hidden, kept.public);
      await write(kept.hidden, data);
    } catch (cause) {
      unsent.delete(kept.hidden);
      await unlink(kept.hidden).catch(() => {});
      if (cause instanceof OutboxFull) throw cause;
      throw new OutboxFull(`the outbox cannot be written (${/** @type {any} */ (cause).code ?? "?"})`, { cause });
    }
  }

  /** True when something of this client's waits for the daemon: what is said now has to wait behind it. */
  async isWaiting() {
    return (await this.#waiting()).bytes > 0;
  }

  /** The daemon has it all. @param {Kept} kept */
  async settle(kept) {
    await unlink(kept.hidden).catch(() => {});
    unsent.delete(kept.hidden);
  }

  /** Give the calls from `first` on to the daemon, which takes them when it can. @param {Kept} kept @param {number} first */
  async publish(kept, first) {
    const left = kept.requests.slice(first);
    if (left.length === 0 || (await this.#grow(left))) return this.settle(kept);
    await rename(kept.hidden, kept.public); // whole: the calls before `first` are repeated, which changes nothing
    unsent.delete(kept.hidden);
    this.#grown = ORDER_SENSITIVE.has(left[0].method) ? null : kept;
    return undefined;
  }

  /**
   * Take back what this process gave to the daemon, oldest first, to send it at once. null: something waits that is not this
   * process's, or that must not reach the daemon twice; then the daemon takes it, within a minute.
   * @returns {Promise<Kept[] | null>}
   */
  async reclaim() {
    await this.#waiting(); // what is empty goes
    const files = (await this.#files(".jsonl")).filter((file) => !isEmpty(file)).sort();
    const own = `-${process.pid.toString(36)}.jsonl`;
    if (!files.every((file) => file.endsWith(own) && read(file)?.every(({ method }) => !ORDER_SENSITIVE.has(method)))) return null;
    this.#grown = null;
    /** @type {Kept[]} */
    const taken = [];
    for (const file of files.reverse()) {
      const kept = new Kept(file.slice(0, -".jsonl".length), []);
      unsent.set(kept.hidden, kept.public);
      await rename(kept.public, kept.hidden);
      kept.requests = read(kept.hidden) ?? []; // the daemon may have been faster
      taken.unshift(kept);
    }
    return taken;
  }

  /** Keep a call that can never be accepted apart, so that it does not vanish unseen. @param {Request} request @param {string} code */
  async reject(request, code) {
    const directory = path.join(this.#directory, "rejected");
    await mkdir(directory, { recursive: true, mode: 0o700 });
    const name = path.basename(this.next([]).public);
    const at = Math.floor(Date.now() / 1000);
    await write(path.join(directory, name), encode({ code, at_wall_seconds: at, request }));
    await write(path.join(this.#directory, name), Buffer.alloc(0)); // `status` names the clients that have an outbox
  }

  /**
   * Add calls to the file that was given last, so that an hour without a daemon is not a hundred files. It is taken back for
   * that moment; should the daemon be at it, some calls reach it twice, which changes nothing.
   * @param {Request[]} requests
   */
  async #grow(requests) {
    const grown = this.#grown;
    if (grown === null || requests.some(({ method }) => ORDER_SENSITIVE.has(method))) return false;
    try {
      await rename(grown.public, grown.hidden);
    } catch {
      this.#grown = null;
      return false;
    }
    unsent.set(grown.hidden, grown.public);
    const handle = await open(grown.hidden, "a", 0o600);
    const { size } = await handle.stat();
    try {
      if (size === 0 || size > MAX_GROWN_BYTES) throw new RangeError("the daemon has emptied it, or it is long enough");
      await handle.write(Buffer.concat(requests.map(encode)));
      await handle.sync();
      return true;
    } catch {
      this.#grown = null; // they go into a file of their own, behind this one
      await handle.truncate(size).catch(() => {});
      return false;
    } finally {
      await handle.close();
      await rename(grown.hidden, grown.public);
      unsent.delete(grown.hidden);
    }
  }

  /** What waits, in bytes; files that the daemon has emptied go. */
  async #waiting() {
    let bytes = 0;
    for (const file of await this.#files(".jsonl")) {
      const size = await stat(file).then(({ size }) => size, () => 0);
      bytes += size;
      if (size === 0 && !fs.existsSync(path.join(this.#directory, "rejected", path.basename(file)))) {
        for (const gone of [file, file.replace(/\.jsonl$/, ".lock")]) await unlink(gone).catch(() => {});
      }
    }
    return { bytes };
  }

  /** What a process left that was killed before it could give it away. */
  async #adopt() {
    for (const file of await this.#files(".unsent")) {
      const pid = parseInt(path.basename(file, ".unsent").split("-").at(-1) ?? "", 36);
      if (!unsent.has(file) && !isAlive(pid)) await rename(file, file.replace(/\.unsent$/, ".jsonl")).catch(() => {});
    }
  }

  /** @param {string} ending */
  async #files(ending) {
    const names = await readdir(this.#directory).catch(() => /** @type {string[]} */ ([]));
    const own = new RegExp(`^${this.#name}-[0-9a-z]{9}-[0-9a-z]+\\${ending}$`);
    return names.filter((name) => own.test(name)).map((name) => path.join(this.#directory, name));
  }
}

/** The requests in a file; null when a line of it is none. @param {string} file @returns {Request[] | null} */
function read(file) {
  try {
    const lines = fs.readFileSync(file, "utf8").split("\n").filter(Boolean);
    return lines.map((line) => JSON.parse(line));
  } catch {
    return null;
  }
}

/** @param {string} file */
const isEmpty = (file) => !fs.existsSync(file) || fs.statSync(file).size === 0;

/** @param {string} file @param {Buffer} data */
async function write(file, data) {
  const flags = fs.constants.O_WRONLY | fs.constants.O_CREAT | fs.constants.O_EXCL | fs.constants.O_NOFOLLOW;
  const handle = await open(`${file}.new`, flags, 0o600);
  try {
    await handle.writeFile(data);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(`${file}.new`, file);
  const directory = await open(path.dirname(file), "r");
  await directory.sync().finally(() => directory.close());
}

/** @param {number} pid */
function isAlive(pid) {
  if (pid === process.pid) return false; // a number that came round again: what is ours stands in `unsent`
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return /** @type {any} */ (error).code !== "ESRCH";
  }
}

// The plugin of opencode: what is said goes to the daemon, the catalog comes back into the system prompt.
//
// Owns: the hooks, and never standing in the user's way: each ends within 250 ms, nothing is printed, an error here is not the
// user's, and the daemon is never started. Must not know: what an event means (conversation.js), how a call travels (../node).
// One export, a function: opencode calls everything that a plugin exports.

import { within } from "../node/alarm.js";
import { MemoryClient, homePath } from "../node/index.js";
import { Conversations } from "./conversation.js";
import { Notes } from "./notes.js";
import { isRecall } from "./parts.js";

const LIMIT_MS = 200; // of the 250; a busy machine has the rest
// In the background, and long: opencode may block its own event loop for seconds while it starts
const DELIVERY_MS = 15_000;
const CATALOG_MS = 10_000; // an answer that is late for one step is there for the next
const RETRY_MS = 30_000;
const CATALOG_MAX_TOKENS = 2000;
const MAX_CATALOGS = 200;
// opencode asks its model for titles and summaries with the same hook; the catalog is of no use there
const NOT_FOR = /^You are a (title generator|context summarization agent)/;
const RECALL_IS_MAINS = "recall_memory is for the main agent: ask it for what you need, or go on without.";

/** @typedef {{home?: string, socket?: string, limit_ms?: number}} Options what `connect` writes beside the plugin's path */

/** @type {import("@opencode-ai/plugin").Plugin} */
export default async function SoongMemory({ client }, options = {}) {
  if (process.env.SOONG_MEMORYD_HOOK === "off") return {};
  try {
    return hooks(client, new Told(/** @type {Options} */ (options)));
  } catch {
    return {}; // a socket path that is too long: `soong-memoryctl doctor` says so, an editor need not
  }
}

/** @param {import("@opencode-ai/plugin").PluginInput["client"]} opencode @param {Told} told @returns {import("@opencode-ai/plugin").Hooks} */
function hooks(opencode, told) {
  const { conversations } = told;
  const atMost = (/** @type {Promise<any>} */ work, share = 1) => orNothing(work, told.limitMs * share);

  /** Ask opencode whose sub agents a session and those above it are. @param {string} sessionID */
  async function lineage(sessionID) {
    for (let unknown; (unknown = conversations.unknown(sessionID)) !== null; ) {
      const { data } = await opencode.session.get({ path: { id: unknown } });
      if (!data || data.id !== unknown) return;
      conversations.learn(data);
    }
  }

  return {
    event: quiet(async ({ event }) => {
      if (event.type === "session.compacted") told.catalogs.delete(event.properties.sessionID);
      void told.inOrder(async () => conversations.hear(event));
    }),
    "command.execute.before": quiet(async ({ sessionID, arguments: words }) => {
      await atMost(told.inOrder(async () => {
        await atMost(lineage(sessionID), 0.5);
        conversations.command(sessionID, words);
        return [];
      }));
    }),
    "chat.message": quiet(async ({ sessionID }, { message, parts }) => {
      const prompt = { sessionID, messageID: message.id, created: message.time.created, parts: [...parts], machine: isMachine() };
      await atMost(told.inOrder(async () => {
        await atMost(lineage(sessionID), 0.5);
        return conversations.prompt(prompt);
      }));
      if (!conversations.isMain(sessionID)) return;
      void atMost(told.note(sessionID, message.id));
      void told.catalog(sessionID); // on its way while opencode prepares the first step
    }),
    "experimental.chat.system.transform": quiet(async ({ sessionID }, { system }) => {
      if (!sessionID || NOT_FOR.test(system[0] ?? "") || !conversations.isMain(sessionID)) return;
      const catalog = await atMost(told.catalog(sessionID));
      if (catalog) system.push(catalog);
    }),
    "tool.execute.before": async ({ tool, sessionID }) => {
      if (!isRecall(tool)) return;
      await atMost(lineage(sessionID), 0.5);
      if (conversations.isMain(sessionID)) await atMost(told.note(sessionID, ""));
      else if (conversations.isKnown(sessionID)) throw new Error(RECALL_IS_MAINS); // the one error that is meant: role_denied
    },
    dispose: async () => {
      await atMost(told.end());
    },
  };
}

/** A hook whose errors are nobody's. @template {(...given: any[]) => Promise<void>} Hook @param {Hook} hook @returns {Hook} */
function quiet(hook) {
  return /** @type {Hook} */ (async (...given) => hook(...given).catch(() => {}));
}

/** One opencode instance's line to the daemon. */
class Told {
  conversations = new Conversations();
  /** what a session's model was given, the same text until a compaction: its prompt stays cached @type {Map<string, Promise<string>>} */
  catalogs = new Map();
  limitMs;
  #memory;
  /** a line of its own: the catalog waits behind nothing that is being said */
  #questions;
  #notes;
  /** @type {Promise<unknown>} */
  #turn = Promise.resolve();
  #askAgainAt = 0;
  #pruned = false;

  /** @param {Options} options */
  constructor({ home, socket, limit_ms: limitMs = LIMIT_MS }) {
    this.limitMs = limitMs;
    this.#memory = new MemoryClient("opencode", { home, socket, timeoutMs: DELIVERY_MS });
    this.#questions = new MemoryClient("opencode", { home, socket, timeoutMs: CATALOG_MS, outbox: false });
    this.#notes = new Notes(homePath(home));
  }

  /** Events take effect in the order in which they came; done when the calls that they stand for are on disk. @param {() => Promise<any[]>} calls */
  inOrder(calls) {
    const done = this.#turn.then(async () => {
      const made = await calls();
      if (made.length) await this.#memory.enqueue(made);
    });
    this.#turn = done.catch(() => {});
    return this.#turn;
  }

  /** The catalog for a session's system prompt; empty when there is none, or the daemon does not answer. @param {string} sessionID @returns {Promise<string>} */
  catalog(sessionID) {
    const known = this.catalogs.get(sessionID);
    if (known) return known;
    if (Date.now() < this.#askAgainAt) return Promise.resolve("");
    const asked = this.#questions.memoryCatalog({ max_tokens: CATALOG_MAX_TOKENS }).then(
      ({ entries, text }) => (entries ? text : ""),
      () => {
        this.#askAgainAt = Date.now() + RETRY_MS; // a daemon that hangs must not cost every step its limit
        this.catalogs.delete(sessionID);
        return "";
      },
    );
    this.catalogs.set(sessionID, asked);
    if (this.catalogs.size > MAX_CATALOGS) this.catalogs.delete(this.catalogs.keys().next().value ?? "");
    return asked;
  }

  /** @param {string} sessionID @param {string} run */
  async note(sessionID, run) {
    await this.#notes.write(this.conversations.name(sessionID), run, "");
    if (!this.#pruned) await this.#notes.prune();
    this.#pruned = true;
  }

  /** Everything said is on its way or on disk. */
  async end() {
    await this.#turn;
    this.#questions.close();
    if (await this.#memory.flush(this.limitMs / 2)) this.#memory.close(); // else the end of the process gives it to the daemon
  }
}

/** `opencode run` is how programs use it: what they say is nobody's wish. */
function isMachine() {
  return process.argv.slice(2).includes("run");
}

/** What `work` gives within the limit, else undefined; never an error. @template T @param {Promise<T>} work @param {number} ms @returns {Promise<T | undefined>} */
async function orNothing(work, ms) {
  return within(work, ms, () => new Error("late")).catch(() => undefined);
}

// From opencode's events to calls of the daemon: what was said in which session, by whom, in which run.
//
// Owns: what each event means, and in which order nodes are told. Must not know: the daemon's socket, opencode's client, time.
// No I/O. What a person typed comes from the hook `chat.message` alone; the bus also tells of copies (forks) and reminders.
// Answers are told when their run ends or the context is compacted: events of one message come in pieces and out of order.

import { batches, buildNode } from "../node/nodes.js";
import { texts, toolNode } from "./parts.js";

/**
 * @typedef {[method: string, params: any]} Call
 * @typedef {import("@opencode-ai/sdk").AssistantMessage} AssistantMessage
 * @typedef {import("@opencode-ai/sdk").Part} Part
 * @typedef {{sessionID: string, messageID: string, created: number, parts: Part[], machine: boolean}} Prompt
 */

const MAIN_AGENT = "main";
const MAX_SESSIONS = 200;
const MAX_NODES_KNOWN = 5000;

/** A session of opencode: `agent` is null for one that a person opened, else the sub agent's id in the session of `root`. */
class Conversation {
  opened = false;
  run = "";
  status = "completed";
  title = "";
  /** the arguments of a command that was typed, until its prompt comes @type {string | null} */
  command = null;
  /** what was heard and not told yet @type {Map<string, {info: AssistantMessage | null, parts: Map<string, Part>}>} */
  messages = new Map();
  /** the nodes of this session that the daemon was told, in order @type {Array<{message: string, node: string}>} */
  told = [];

  /** @param {string} root @param {string | null} agent @param {string} parent */
  constructor(root, agent, parent) {
    this.root = root;
    this.agent = agent;
    this.parent = parent;
  }
}

/** Every session that one opencode process has heard of. */
export class Conversations {
  /** session -> its parent, null for none @type {Map<string, string | null>} */
  #parents = new Map();
  /** @type {Map<string, Conversation>} */
  #open = new Map();

  /** True once it is known whether that session is a sub agent's, and whose. @param {string} sessionID */
  isKnown(sessionID) {
    return this.unknown(sessionID) === null;
  }

  /** The session on the way to the root that was never heard of; null when there is none. @param {string} sessionID */
  unknown(sessionID) {
    for (let /** @type {string | null} */ at = sessionID, steps = 0; at !== null && steps < 32; steps++) {
      if (!this.#parents.has(at)) return at;
      at = this.#parents.get(at) ?? null;
    }
    return null;
  }

  /** @param {{id: string, parentID?: string}} info */
  learn({ id, parentID }) {
    this.#parents.set(id, parentID ?? null);
    if (this.#parents.size > 10 * MAX_SESSIONS) this.#parents.delete(this.#parents.keys().next().value ?? "");
  }

  /** True for a session that a person opened. @param {string} sessionID */
  isMain(sessionID) {
    return this.#parents.get(sessionID) === null;
  }

  /** The session as the daemon knows it. @param {string} sessionID */
  name(sessionID) {
    return `opencode:${this.#lineage(sessionID)[0]}`;
  }

  /** A command was typed: its words come with the next prompt, inside a text that nobody typed. @param {string} sessionID @param {string} words */
  command(sessionID, words) {
    this.#conversation(sessionID).command = words;
  }

  /** A prompt: a run begins. @param {Prompt} prompt @returns {Call[]} */
  prompt({ sessionID, messageID, created, parts, machine }) {
    const known = this.#parents.has(sessionID);
    const conversation = this.#conversation(sessionID);
    const calls = this.#opening(conversation);
    if (conversation.run) calls.push(...this.#end(conversation)); // typed while the model was still at work
    conversation.messages.clear();
    const whole = texts(parts);
    const words = conversation.command ?? whole;
    conversation.command = null;
    const typed = words.trim() !== "" && conversation.agent === null && known && !machine;
    const text = words.trim() ? words : whole;
    conversation.run = messageID;
    conversation.status = "completed";
    calls.push(["run.started", this.#of(conversation, { run_id: messageID })]);
    if (text.trim()) {
      const files = parts.filter(({ type }) => type === "file").length;
      const node = buildNode(messageID, "user_message", text, {
        ...this.#place(conversation, created),
        origin: typed ? "typed" : "synthetic",
        metadata: files ? { files } : {},
      });
      calls.push(...this.#append(conversation, [{ message: messageID, node }]));
    }
    return calls;
  }

  /** One event of the bus. @param {any} event @returns {Call[]} */
  hear(event) {
    const properties = event?.properties ?? {};
    const meaning = MEANINGS[event?.type];
    const sessionID = properties.sessionID ?? properties.info?.sessionID ?? properties.part?.sessionID ?? properties.info?.id;
    if (meaning === undefined || typeof sessionID !== "string") return [];
    if (event.type === "session.created" || event.type === "session.updated") this.learn(properties.info);
    if (event.type === "session.compacted" && this.isMain(sessionID)) this.#conversation(sessionID); // perhaps a resumed one
    const conversation = this.#open.get(sessionID); // another one that nobody typed in since we began means nothing
    if (conversation === undefined) return [];
    if (event.type === "session.deleted") this.#open.delete(sessionID);
    return meaning(this, conversation, properties, event.id);
  }

  /** @param {Conversation} conversation @param {AssistantMessage} info */
  answer(conversation, info) {
    if (info.role !== "assistant" || !(conversation.run || info.summary || conversation.messages.has(info.id))) return [];
    if (!conversation.told.some(({ message }) => message === info.id)) entry(conversation, info.id).info = info;
    return [];
  }

  /** @param {Conversation} conversation @param {Part} part */
  part(conversation, part) {
    if (conversation.run || conversation.messages.has(part.messageID)) entry(conversation, part.messageID).parts.set(part.id, part);
    return [];
  }

  /** A message that was gone back over: the daemon forgets what came from it on. @param {Conversation} conversation @param {string} messageID @returns {Call[]} */
  removed(conversation, messageID) {
    conversation.messages.delete(messageID);
    const place = conversation.told.findIndex(({ message }) => message === messageID);
    if (place < 0 || conversation.agent !== null) return [];
    conversation.told.length = place;
    const last = conversation.told.at(-1)?.node ?? beginning(conversation.root);
    return [["context.rewind", { session_id: `opencode:${conversation.root}`, node_id: last }]];
  }

  /** The answers that are complete and were not told yet. @param {Conversation} conversation @returns {Call[]} */
  told(conversation) {
    const complete = [...conversation.messages.values()].flatMap(({ info, parts }) =>
      info && (info.time.completed || info.error) ? [{ info, parts: [...parts.values()].sort(byId) }] : [],
    );
    complete.sort((one, other) => one.info.time.created - other.info.time.created || byId(one.info, other.info));
    for (const { info } of complete) conversation.messages.delete(info.id);
    return this.#append(conversation, complete.flatMap(({ info, parts }) => this.#nodes(conversation, info, parts)));
  }

  /** Also without the summary's words: what was recalled before is gone from the model's view. @param {Conversation} conversation @param {unknown} id @returns {Call[]} */
  compacted(conversation, id) {
    const calls = [...this.#opening(conversation), ...this.told(conversation)];
    const said = calls.some(([, { nodes = [] }]) => nodes.some((/** @type {any} */ { kind }) => kind === "compact_summary"));
    if (said || conversation.agent !== null || typeof id !== "string") return calls;
    return [...calls, ...this.#append(conversation, [{ message: id, node: buildNode(id, "compact_summary", "") }])];
  }

  /** @param {Conversation} conversation @returns {Call[]} */
  idle(conversation) {
    return conversation.run ? this.#end(conversation) : this.told(conversation);
  }

  /** @param {Conversation} conversation @param {{name?: string} | undefined} error */
  failed(conversation, error) {
    conversation.status = error?.name === "MessageAbortedError" ? "cancelled" : "failed";
    return [];
  }

  /** @param {Conversation} conversation @param {{title?: string}} info @returns {Call[]} */
  renamed(conversation, { title = "" }) {
    if (conversation.agent !== null || !title || title.startsWith("New session - ") || title === conversation.title) return [];
    conversation.title = title;
    return [["session.open", { session_id: `opencode:${conversation.root}`, agent_id: MAIN_AGENT, title: title.slice(0, 200) }]];
  }

  /** @param {Conversation} conversation @returns {Call[]} */
  closed(conversation) {
    return conversation.agent === null ? [["session.close", { session_id: `opencode:${conversation.root}` }]] : [];
  }

  /** @param {Conversation} conversation @returns {Call[]} */
  #end(conversation) {
    const calls = this.told(conversation);
    calls.push(["run.completed", this.#of(conversation, { run_id: conversation.run, status: conversation.status })]);
    conversation.run = "";
    conversation.messages.clear();
    return calls;
  }

  /** @param {Conversation} conversation @param {AssistantMessage} info @param {Part[]} parts */
  #nodes(conversation, info, parts) {
    const place = this.#place(conversation, info.time.completed ?? info.time.created);
    const text = texts(parts.filter((part) => part.type === "text" && part.time?.end));
    const kind = info.summary ? "compact_summary" : "assistant_message";
    const nodes = text.trim() ? [{ message: info.id, node: buildNode(info.id, kind, text, place) }] : [];
    for (const part of info.summary ? [] : parts) {
      const node = part.type === "tool" ? toolNode(part, place) : null;
      if (node !== null) nodes.push({ message: info.id, node });
    }
    return nodes;
  }

  /** @param {Conversation} conversation @param {Array<{message: string, node: any}>} made @returns {Call[]} */
  #append(conversation, made) {
    conversation.told.push(...made.map(({ message, node }) => ({ message, node: node.node_id })));
    if (conversation.told.length > MAX_NODES_KNOWN) conversation.told.splice(0, MAX_NODES_KNOWN / 2);
    const groups = [...batches(made.map(({ node }) => node))];
    return groups.map((nodes) => ["context.append", { session_id: `opencode:${conversation.root}`, nodes }]);
  }

  /** @param {Conversation} conversation @returns {Call[]} */
  #opening(conversation) {
    if (conversation.opened) return [];
    conversation.opened = true;
    const session_id = `opencode:${conversation.root}`;
    const opened = /** @type {Call} */ (["session.open", { session_id, agent_id: MAIN_AGENT }]);
    if (conversation.agent !== null) {
      const registered = { session_id, agent_id: conversation.agent, kind: "sub", parent_agent_id: conversation.parent };
      return [opened, ["agent.register", registered]];
    }
    // what a revert of the first prompt goes back to
    return [opened, ["context.append", { session_id, nodes: [buildNode(beginning(conversation.root), "other", "")] }]];
  }

  /** @param {Conversation} conversation @param {number} at milliseconds */
  #place(conversation, at) {
    const { run, agent } = conversation;
    return { run_id: run || null, agent_id: agent, created_at: Number.isFinite(at) ? new Date(at).toISOString() : null };
  }

  /** @param {Conversation} conversation @param {object} params */
  #of(conversation, params) {
    const agent = conversation.agent === null ? {} : { agent_id: conversation.agent };
    return { session_id: `opencode:${conversation.root}`, ...params, ...agent };
  }

  /** @param {string} sessionID */
  #conversation(sessionID) {
    let found = this.#open.get(sessionID);
    if (found === undefined) {
      const [root, agent, parent] = this.#lineage(sessionID);
      found = new Conversation(root, agent, parent);
    }
    this.#open.delete(sessionID); // the newest last
    this.#open.set(sessionID, found);
    if (this.#open.size > MAX_SESSIONS) this.#open.delete(this.#open.keys().next().value ?? "");
    return found;
  }

  /** Root session, agent and parent agent of a session. @param {string} sessionID @returns {[string, string | null, string]} */
  #lineage(sessionID) {
    const parent = this.#parents.get(sessionID) ?? null;
    if (parent === null) return [sessionID, null, MAIN_AGENT];
    let root = parent;
    for (let steps = 0; steps < 32; steps++) root = this.#parents.get(root) ?? root;
    return [root, sessionID, root === parent ? MAIN_AGENT : parent];
  }
}

/** Event -> what it means. @type {Record<string, (all: Conversations, conversation: Conversation, properties: any, id: unknown) => Call[]>} */
const MEANINGS = {
  "session.created": () => [],
  "session.updated": (all, conversation, { info }) => all.renamed(conversation, info),
  "message.updated": (all, conversation, { info }) => all.answer(conversation, info),
  "message.part.updated": (all, conversation, { part }) => all.part(conversation, part),
  "message.removed": (all, conversation, { messageID }) => all.removed(conversation, messageID),
  "session.compacted": (all, conversation, _properties, id) => all.compacted(conversation, id),
  "session.error": (all, conversation, { error }) => all.failed(conversation, error),
  "session.idle": (all, conversation) => all.idle(conversation),
  "session.deleted": (all, conversation) => all.closed(conversation),
};

/** @param {string} root */
const beginning = (root) => `${root}:0`;

/** @param {{id: string}} one @param {{id: string}} other */
const byId = (one, other) => (one.id < other.id ? -1 : Number(one.id > other.id));

/** @param {Conversation} conversation @param {string} id */
function entry(conversation, id) {
  const found = conversation.messages.get(id) ?? { info: null, parts: new Map() };
  conversation.messages.set(id, found);
  return found;
}

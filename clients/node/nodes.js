// Building a node that the daemon takes: text cut to the limits, and the cut said in its metadata.
//
// Owns: the limits of a node's text and of one line. Must not know: harnesses, sockets. Pure.

import { MAX_NODES, MAX_NODE_TEXT_BYTES } from "./protocol.js";

const MAX_LINE_BYTES = 1 << 20;
export const MAX_BATCH_BYTES = MAX_LINE_BYTES - 16 * 1024; // what is left after method, ids and a long session id
const MAX_BATCH_NODES = Math.min(64, MAX_NODES);
const CUT_MARK = "\n[cut]";

/**
 * A node with its text cut to the limit; fields that are null, undefined or empty are left out. A cut is said in `metadata`
 * as `{cut: true, original_bytes: n}`.
 * @param {string} nodeId @param {import("./protocol.js").Node["kind"]} kind @param {string} text
 * @param {Partial<import("./protocol.js").Node>} [fields]
 * @returns {import("./protocol.js").Node}
 */
export function buildNode(nodeId, kind, text, fields = {}) {
  const given = Object.entries(fields).filter(([, value]) => !isEmpty(value));
  const node = { node_id: nodeId, kind, ...Object.fromEntries(given) };
  const data = Buffer.from(text, "utf8"); // half characters become U+FFFD
  let limit = MAX_NODE_TEXT_BYTES;
  for (;;) {
    const fitted = data.length <= limit ? { ...node, text: data.toString("utf8") } : cut(node, data, limit);
    // control characters grow sixfold as JSON: cut again rather than send a line that is refused
    if (Buffer.byteLength(JSON.stringify(fitted)) <= MAX_BATCH_BYTES || limit <= CUT_MARK.length * 2) return fitted;
    limit >>= 1;
  }
}

/**
 * Consecutive nodes in groups that fit into one call each.
 * @param {Iterable<import("./protocol.js").Node>} nodes
 */
export function* batches(nodes) {
  /** @type {import("./protocol.js").Node[]} */
  let group = [];
  let bytes = 0;
  for (const node of nodes) {
    const size = Buffer.byteLength(JSON.stringify(node));
    if (group.length && (group.length === MAX_BATCH_NODES || bytes + size > MAX_BATCH_BYTES)) {
      yield group;
      [group, bytes] = [[], 0];
    }
    group.push(node);
    bytes += size;
  }
  if (group.length) yield group;
}

/** @param {import("./protocol.js").Node} node @param {Buffer} data @param {number} limit */
function cut(node, data, limit) {
  let end = limit - CUT_MARK.length;
  while ((data[end] & 0xc0) === 0x80) end--; // not in the middle of a character
  const metadata = { ...node.metadata, cut: true, original_bytes: data.length };
  return { ...node, text: data.toString("utf8", 0, end) + CUT_MARK, metadata };
}

/** @param {unknown} value */
function isEmpty(value) {
  return value === null || value === undefined || (typeof value === "object" && Object.keys(value).length === 0);
}

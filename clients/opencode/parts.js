// What of a message's parts is told: a person's and a model's words, and a tool's result in short.
//
// Owns: which parts are nobody's words, how much of a result is kept, and that what memory gave is not told again. Must not
// know: sessions, runs, in which order things came. No I/O.

import { buildNode } from "../node/nodes.js";

/** @typedef {import("@opencode-ai/sdk").Part} Part */

const TOOL_TEXT_CHARS = 4000; // the daemon keeps an excerpt of 2,000
const SUMMARY_CHARS = 400;
const HINT_CHARS = 80;
const INPUT_HINTS = ["filePath", "path", "url", "command", "pattern", "query", "description"];
const INPUT_REFS = ["filePath", "path", "url"];

/** The words of a message, without those that opencode wrote into it. @param {Part[]} parts */
export function texts(parts) {
  return parts.flatMap((part) => (part.type === "text" && !part.synthetic && !part.ignored && part.text.trim() ? [part.text] : [])).join("\n\n");
}

/** @param {import("@opencode-ai/sdk").ToolPart} part @param {object} place */
export function toolNode(part, place) {
  const { state, tool } = part;
  if ((state.status !== "completed" && state.status !== "error") || isOurs(part)) return null;
  const input = /** @type {Record<string, unknown>} */ (state.input ?? {});
  const text = state.status === "completed" ? state.output : state.error;
  const hint = oneLine(String(INPUT_HINTS.map((name) => input[name]).find((value) => value) ?? ""), HINT_CHARS);
  const lines = text ? text.trimEnd().split("\n").length : 0;
  const refs = INPUT_REFS.map((name) => input[name]).filter((value) => typeof value === "string" && value);
  return buildNode(part.id, "tool_result", text.slice(0, TOOL_TEXT_CHARS), {
    ...place,
    summary: `${tool}(${hint})${state.status === "error" ? " failed" : ""}, ${lines} lines: ${oneLine(text, SUMMARY_CHARS)}`,
    artifact_refs: /** @type {string[]} */ ([...new Set(refs)].map((ref) => String(ref).slice(0, 2000))),
    metadata: text.length > TOOL_TEXT_CHARS ? { cut: true, original_chars: text.length } : {},
  });
}

/** What memory gave must not come back as something that was said. @param {import("@opencode-ai/sdk").ToolPart} part */
function isOurs({ tool, state }) {
  return isRecall(tool) || /** @type {any} */ (state.input)?.server === "soong-memory";
}

/** @param {string} tool */
export const isRecall = (tool) => tool.endsWith("recall_memory");

/** @param {string} text @param {number} chars */
function oneLine(text, chars) {
  const flat = text.slice(0, chars * 4).split(/\s+/).filter(Boolean).join(" ");
  return flat.length <= chars ? flat : `${flat.slice(0, chars - 1)}…`;
}

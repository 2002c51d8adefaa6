// The note of a session, as the hooks of other tools keep it: how the MCP server finds the session that asks.
//
// Owns: `<home>/memoryd/hooks/opencode/<session>.json` as soong_memory_client.notes reads it. Must not know: events.
// A note that is lost costs nothing but that a recall belongs to no session.

import fs from "node:fs/promises";
import path from "node:path";

const MAX_NOTES = 200;
const MAX_NAME_CHARS = 100;

export class Notes {
  #directory;
  /** @type {Promise<[number, number]> | null} */
  #harness = null;

  /** @param {string} home */
  constructor(home) {
    this.#directory = path.join(home, "memoryd", "hooks", "opencode");
  }

  /** The session that was heard last is the one whose question comes next. @param {string} session @param {string} run @param {string} catalog */
  async write(session, run, catalog) {
    this.#harness ??= thisProcess();
    const note = { session_id: session, run_id: run, prompt_mark: "", catalog, compacted: false, harness: await this.#harness };
    const file = path.join(this.#directory, `${plain(session)}-${crc32(session)}.json`);
    await fs.mkdir(this.#directory, { recursive: true, mode: 0o700 });
    await fs.writeFile(`${file}.${process.pid}`, JSON.stringify(note), { mode: 0o600 });
    await fs.rename(`${file}.${process.pid}`, file);
  }

  /** Drop all but the newest. */
  async prune() {
    const names = (await fs.readdir(this.#directory)).filter((name) => name.endsWith(".json"));
    if (names.length <= MAX_NOTES) return;
    const files = names.map((name) => path.join(this.#directory, name));
    const aged = await Promise.all(files.map(async (file) => ({ file, at: (await fs.stat(file)).mtimeMs })));
    aged.sort((one, other) => other.at - one.at);
    await Promise.all(aged.slice(MAX_NOTES).map(({ file }) => fs.unlink(file)));
  }
}

/** This process's number and start (clock ticks since boot, see proc(5); 0 where that is unknown). @returns {Promise<[number, number]>} */
async function thisProcess() {
  try {
    const stat = await fs.readFile("/proc/self/stat", "latin1");
    return [process.pid, Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19])];
  } catch {
    return [process.pid, 0];
  }
}

/** @param {string} session */
const plain = (session) => session.slice(0, MAX_NAME_CHARS).replace(/[^A-Za-z0-9]/g, "-");

/** As zlib's, in eight digits. @param {string} text */
export function crc32(text) {
  let crc = ~0;
  for (const byte of Buffer.from(text, "utf8")) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return (~crc >>> 0).toString(16).padStart(8, "0");
}

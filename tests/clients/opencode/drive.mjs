// Plays opencode: loads the real plugin and calls its hooks as opencode does, a line of JSON each.
//
//   node drive.mjs <plugin.js>      options and what opencode's own API knows come with the first line: {options, sessions}
//   {hook, input, output}           calls that hook; the answer is {output, error, ms}. Events are not waited for, like opencode's.
//   {settle: true}                  answers when all that was said is on its way or on disk

import fs from "node:fs";
import path from "node:path";
import readline from "node:readline";
import { pathToFileURL } from "node:url";

const exported = await import(pathToFileURL(process.argv[2]).href);
const answer = (value) => process.stdout.write(JSON.stringify(value) + "\n");
const unsent = (directory) => {
  const outbox = path.join(directory, "memoryd", "outbox");
  return fs.existsSync(outbox) && fs.readdirSync(outbox).some((name) => name.endsWith(".unsent"));
};
let home = "";
let hooks = {};
let known = {};
const client = { session: { get: async ({ path: { id } }) => ({ data: known[id] }) } };

for await (const line of readline.createInterface({ input: process.stdin })) {
  const { options, sessions, hook, input, output, settle, argv } = JSON.parse(line);
  if (argv) process.argv.push(...argv);
  if (sessions) known = sessions;
  if (options) {
    home = options.home;
    const functions = Object.values(exported);
    if (functions.some((one) => typeof one !== "function")) throw new TypeError("opencode calls everything that is exported");
    for (const one of functions) hooks = { ...hooks, ...(await one({ client, directory: "/w" }, options)) };
    answer({ hooks: Object.keys(hooks) });
  } else if (settle) {
    do await hooks.dispose();
    while (unsent(home));
    answer({});
  } else if (hook === "event") {
    hooks.event?.({ event: input });
    answer({});
  } else {
    const begun = performance.now();
    const error = await Promise.resolve(hooks[hook]?.(input, output)).then(() => null, (thrown) => thrown.message);
    answer({ output, error, ms: performance.now() - begun });
  }
}

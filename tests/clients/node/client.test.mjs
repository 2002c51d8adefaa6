// The Node client against a real daemon (its home in $MEMORYD_HOME), and against sockets that misbehave.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import net from "node:net";
import os from "node:os";
import path from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import {
  DaemonUnavailable,
  DeadlineExceeded,
  MemoryClient,
  METHODS,
  OutboxFull,
  RpcError,
  SocketPathError,
  UntrustedServer,
  batches,
  buildNode,
  homePath,
  socketPath,
} from "../../../clients/node/index.js";

const home = process.env.MEMORYD_HOME;
const scratch = fs.mkdtempSync(path.join(os.tmpdir(), "node-client-"));
after(() => fs.rmSync(scratch, { recursive: true }));
const outboxOf = (directory) => {
  try {
    return fs.readdirSync(path.join(directory, "memoryd", "outbox")).filter((name) => !name.endsWith(".lock"));
  } catch {
    return [];
  }
};
const linesOf = (directory) =>
  outboxOf(directory)
    .sort()
    .flatMap((name) => fs.readFileSync(path.join(directory, "memoryd", "outbox", name), "utf8").split("\n"))
    .filter(Boolean)
    .map((line) => JSON.parse(line));

/** A home with a socket where `serve(socket)` decides what happens. */
async function pretend(name, serve) {
  const directory = path.join(scratch, name);
  fs.mkdirSync(path.join(directory, "memoryd"), { recursive: true, mode: 0o700 });
  const open = new Set();
  const server = net.createServer((socket) => {
    open.add(socket.on("error", () => {}));
    serve(socket);
  });
  await new Promise((resolve) => server.listen(path.join(directory, "memoryd", "memoryd.sock"), resolve));
  const stop = () => {
    server.close();
    for (const socket of open) socket.destroy();
  };
  return { directory, stop };
}
const answering = (answer) => (socket) =>
  socket.on("data", (data) => {
    for (const line of data.toString().split("\n").filter(Boolean)) {
      const { id, method } = JSON.parse(line);
      const reply = answer(method, socket);
      if (reply !== undefined) socket.write(JSON.stringify({ jsonrpc: "2.0", id, ...reply }) + "\n");
    }
  });

test("a session of an agent, from its first word to a memory recalled", async () => {
  const memory = new MemoryClient("node-agent", { home });
  const opened = await memory.sessionOpen({ session_id: "node:1", title: "会话" });
  assert.deepEqual([opened.session_id, opened.created], ["node:1", true]);
  await memory.runStarted({ session_id: "node:1", run_id: "r1" });
  const node = buildNode("n1", "user_message", "Remember: I always use fish, not bash. 以后都用 fish。");
  const appended = await memory.contextAppend({ session_id: "node:1", nodes: [node] });
  assert.equal(appended.appended, 1);
  const again = await memory.contextAppend({ session_id: "node:1", nodes: [node] });
  assert.deepEqual(again.duplicates, ["n1"]);
  const { decision } = await memory.runCompleted({ session_id: "node:1", run_id: "r1", status: "completed" });
  assert.equal(decision.reason, "explicit");
  await memory.extractionTrigger({ session_id: "node:1", wait: true }, { timeoutMs: 20_000 });
  const recalled = await memory.memoryRecall({ session_id: "node:1", query: "which shell, fish or bash" });
  assert.match(recalled.message.content, /fish/);
  assert.match((await memory.memoryCatalog({ session_id: "node:1" })).text, /mem_/);
  assert.equal((await memory.daemonStatus()).state, "ready");
  assert.deepEqual(outboxOf(home).filter((name) => name.startsWith("node-agent")), []);
  memory.close();
});

test("there is a function for each method that the daemon discovers", async () => {
  const memory = new MemoryClient("node-agent", { home });
  const discovered = (await memory.rpcDiscover()).methods.map(({ name }) => name);
  assert.deepEqual(Object.values(METHODS).map(({ method }) => method).sort(), discovered.sort());
  for (const name of Object.keys(METHODS)) assert.equal(typeof memory[name], "function", name);
  memory.close();
});

test("a refusal has the daemon's code and hint, and its call does not come back", async () => {
  const memory = new MemoryClient("node-refused", { home });
  await assert.rejects(memory.runStarted({ session_id: "nowhere", run_id: "r" }), (error) => {
    assert.ok(error instanceof RpcError);
    assert.deepEqual([error.code, error.number, error.retryable], ["session_unknown", -32001, false]);
    assert.ok(error.hint);
    return true;
  });
  await assert.rejects(memory.call("memory.get", { memory_id: "mem_x" }), { code: "not_found" });
  await assert.rejects(memory.call("no.such.method"), { code: "method_not_found" });
  assert.equal(await memory.flush(), true);
  memory.close();
});

test("calls that overlap arrive in their order", async () => {
  const memory = new MemoryClient("node-order", { home });
  const append = (n) => memory.contextAppend({ session_id: "node:2", nodes: [{ node_id: `o${n}`, kind: "user_message", text: `${n}` }] });
  const [, ...made] = await Promise.all([memory.sessionOpen({ session_id: "node:2" }), ...[1, 2, 3, 4, 5].map(append)]);
  assert.deepEqual(made.map(({ durable_sequence: sequence }) => sequence), [1, 2, 3, 4, 5]);
  memory.close();
});

test("events come while they are listened to", async () => {
  const memory = new MemoryClient("node-events", { home });
  const heard = new Promise((resolve) => (memory.onEvent = resolve));
  assert.ok((await memory.eventsSubscribe({ after: 0 })).last >= 1);
  assert.equal((await heard).type, "daemon_started");
  memory.close();
});

test("a huge text is cut between characters, and a node with half a character is taken", async () => {
  const memory = new MemoryClient("node-huge", { home });
  const node = buildNode("h1", "user_message", "汉".repeat(200_000));
  assert.ok(Buffer.byteLength(node.text) <= 256 * 1024);
  assert.match(node.text, /^汉+\n\[cut\]$/);
  assert.deepEqual(node.metadata, { cut: true, original_bytes: 600_000 });
  const control = buildNode("h2", "other", "\u0001".repeat(300_000));
  const half = { node_id: "h3", kind: "other", text: "half \ud83d" };
  await memory.sessionOpen({ session_id: "node:3" });
  for (const nodes of batches([node, control, half])) await memory.contextAppend({ session_id: "node:3", nodes });
  assert.equal((await memory.contextAppend({ session_id: "node:3", nodes: [half] })).duplicates.length, 1);
  await assert.rejects(
    memory.contextAppend({ session_id: "node:3", nodes: [{ node_id: "h4", kind: "other", text: "x".repeat(300_000) }] }),
    { code: "message_too_large" },
  );
  memory.close();
});

test("a daemon that closed the connection meanwhile is called again", async () => {
  let calls = 0;
  const { directory, stop } = await pretend("closes", answering((method, socket) => {
    if (method === "memory.catalog" && ++calls === 2) return void socket.destroy();
    return { result: { text: "x" } };
  }));
  const memory = new MemoryClient("agent", { home: directory });
  assert.equal((await memory.memoryCatalog()).text, "x");
  assert.equal((await memory.memoryCatalog()).text, "x");
  assert.equal(calls, 3);
  memory.close();
  stop();
});

test("a daemon that accepts and never answers costs the limit, and the call is kept", async () => {
  let asked = 0;
  const { directory, stop } = await pretend("hung", () => void asked++);
  const memory = new MemoryClient("agent", { home: directory, timeoutMs: 60 });
  await assert.rejects(memory.memoryCatalog(), DeadlineExceeded);
  assert.equal(await memory.sessionOpen({ session_id: "s" }), null);
  assert.equal(await memory.runStarted({ session_id: "s", run_id: "r" }), null);
  assert.equal(await memory.flush(), false);
  assert.equal(asked, 2, "after a time-out nobody waits again");
  assert.deepEqual(linesOf(directory).map(({ method }) => method), ["session.open", "run.started"]);
  memory.close();
  stop();
});

test("without a daemon calls wait on disk for this user alone, in order, a few files for many", async () => {
  const directory = path.join(scratch, "away", "missing");
  const memory = new MemoryClient("agent", { home: directory });
  await assert.rejects(memory.memoryRecall({ query: "x" }), DaemonUnavailable);
  for (let n = 0; n < 20; n++) await memory.runStarted({ session_id: "s", run_id: `r${n}` });
  await memory.enqueue([["context.rewind", { session_id: "s", node_id: "n" }], ["run.started", { session_id: "s", run_id: "r20" }]]);
  await memory.sessionClose({ session_id: "s" });
  const waiting = linesOf(directory);
  assert.deepEqual(waiting.map(({ params }) => params.run_id ?? "-"), [...Array(20).keys()].map((n) => `r${n}`).concat("-", "r20", "-"));
  assert.equal(outboxOf(directory).length, 4, "what must not be repeated after later calls stands alone");
  for (const name of outboxOf(directory)) {
    assert.match(name, /^agent-[0-9a-z]{9}-[0-9a-z]+\.jsonl$/);
    assert.equal(fs.statSync(path.join(directory, "memoryd", "outbox", name)).mode & 0o777, 0o600);
  }
  assert.equal(fs.statSync(path.join(directory, "memoryd", "outbox")).mode & 0o777, 0o700);
});

test("what waited goes first when the daemon is back, and what must not be repeated is left to the daemon", async () => {
  const heard = [];
  const directory = path.join(scratch, "back");
  const memory = new MemoryClient("agent", { home: directory });
  const started = (n) => memory.runStarted({ session_id: "s", run_id: `r${n}` });
  for (const n of [1, 2, 3]) assert.equal(await started(n), null);
  const { stop } = await pretend("back", (socket) =>
    socket.on("data", (data) => {
      for (const { id, params } of data.toString().split("\n").filter(Boolean).map((line) => JSON.parse(line))) {
        if (params.run_id) heard.push(params.run_id);
        socket.write(JSON.stringify({ id, result: { cancelled_idle: false } }) + "\n");
      }
    }));
  assert.deepEqual(await started(4), { cancelled_idle: false });
  assert.deepEqual(heard, ["r1", "r2", "r3", "r4"]);
  assert.equal(await memory.flush(), true);
  assert.deepEqual(outboxOf(directory), []);
  stop();
  memory.close();
  await memory.contextRewind({ session_id: "s", node_id: "n" });
  const again = await pretend("back", answering(() => ({ result: {} })));
  assert.equal(await started(5), null);
  assert.equal(await memory.flush(), false);
  assert.deepEqual(linesOf(directory).map(({ params }) => params.run_id ?? "rewind"), ["rewind", "r5"]);
  memory.close();
  again.stop();
});

test("a refused call that nobody waits for is kept apart, and those behind it go on", async () => {
  const { directory, stop } = await pretend("refuses", answering((method) =>
    method === "run.started" ? { error: { code: -32001, message: "no", data: { code: "session_unknown" } } } : { result: {} }));
  const memory = new MemoryClient("agent", { home: directory });
  await memory.enqueue([["run.started", { session_id: "s", run_id: "r" }], ["session.open", { session_id: "s" }]]);
  assert.equal(await memory.flush(), true);
  const rejected = path.join(directory, "memoryd", "outbox", "rejected");
  const [kept] = fs.readdirSync(rejected).map((name) => JSON.parse(fs.readFileSync(path.join(rejected, name), "utf8")));
  assert.deepEqual([kept.code, kept.request.method], ["session_unknown", "run.started"]);
  memory.close();
  stop();
});

test("what a killed process had not sent is given to the daemon by the next one", async () => {
  const directory = path.join(scratch, "killed");
  const { stop } = await pretend("killed", () => {});
  const client = fileURLToPath(new URL("../../../clients/node/index.js", import.meta.url));
  const script = `import { MemoryClient } from ${JSON.stringify(client)};
    const memory = new MemoryClient("agent", { home: ${JSON.stringify(directory)} });
    await memory.enqueue([["session.open", { session_id: "s" }]]);
    process.kill(process.pid, process.argv[1]);`;
  spawnSync(process.execPath, ["--input-type=module", "-e", script, "SIGKILL"]);
  assert.match(outboxOf(directory).join(), /^agent-\w+-\w+\.unsent$/);
  stop();
  const next = new MemoryClient("agent", { home: directory });
  assert.equal(await next.runStarted({ session_id: "s", run_id: "r" }), null);
  assert.deepEqual(linesOf(directory).map(({ method }) => method), ["session.open", "run.started"]);
  assert.ok(outboxOf(directory).every((name) => name.endsWith(".jsonl")));
});

test("a program that ends gives what it had not sent to the daemon", async () => {
  const { directory, stop } = await pretend("ended", () => {});
  const client = fileURLToPath(new URL("../../../clients/node/index.js", import.meta.url));
  const script = `import { MemoryClient } from ${JSON.stringify(client)};
    const memory = new MemoryClient("agent", { home: ${JSON.stringify(directory)} });
    await memory.enqueue([["session.open", { session_id: "s" }]]);
    process.exit(0);`;
  spawnSync(process.execPath, ["--input-type=module", "-e", script]);
  assert.match(outboxOf(directory).join(), /^agent-\w+-\w+\.jsonl$/);
  stop();
});

test("a home that cannot be written is a coded error", async () => {
  const blocked = path.join(scratch, "a file");
  fs.writeFileSync(blocked, "");
  const memory = new MemoryClient("agent", { home: blocked });
  await assert.rejects(memory.enqueue([["session.open", { session_id: "s" }]]), OutboxFull);
  await assert.rejects(memory.sessionOpen({ session_id: "s" }), { code: "daemon_unavailable" });
  await assert.rejects(new MemoryClient("agent", { home: blocked, outbox: false }).sessionOpen({ session_id: "s" }), DaemonUnavailable);
});

test("a full outbox refuses a call, and keeps the others", async () => {
  const directory = path.join(scratch, "full");
  const memory = new MemoryClient("agent", { home: directory });
  const text = "x".repeat(250_000);
  const append = (n) => memory.enqueue([["context.append", { session_id: "s", nodes: [{ node_id: `${n}`, kind: "other", text }] }]]);
  await assert.rejects(async () => {
    for (let n = 0; n < 40; n++) await append(n);
  }, OutboxFull);
  assert.equal(await memory.flush(), false);
  assert.ok(linesOf(directory).length > 30);
});

test("nothing is sent where others may have put the socket", async () => {
  const { directory, stop } = await pretend("shared", answering(() => assert.fail("something was sent")));
  fs.chmodSync(path.join(directory, "memoryd"), 0o777);
  const memory = new MemoryClient("agent", { home: directory, outbox: false });
  await assert.rejects(memory.sessionOpen({ session_id: "s" }), UntrustedServer);
  stop();
});

test("option, variable and home lead to the socket, and one that is too long names the variable to set", () => {
  const env = { SOONG_AGENT_HOME: "/h", SOONG_MEMORYD_SOCKET: "/run/m.sock", HOME: "/me" };
  assert.equal(homePath(undefined, env), "/h");
  assert.equal(homePath(undefined, { HOME: "/me" }), "/me/.soong-agent");
  assert.equal(homePath("~/x", env), "/me/x");
  assert.equal(socketPath({}, env), "/run/m.sock");
  assert.equal(socketPath({ home: "/o" }, env), "/o/memoryd/memoryd.sock");
  assert.equal(socketPath({ home: "/o", socket: "/s" }, env), "/s");
  assert.throws(() => socketPath({ home: `/${"长".repeat(40)}` }, env), (error) => {
    assert.ok(error instanceof SocketPathError);
    assert.match(error.message, /SOONG_MEMORYD_SOCKET/);
    return true;
  });
});

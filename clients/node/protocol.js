// Generated from the OpenRPC document by `make docs`; do not edit.
export const PROTOCOL_VERSION = 1;
export const MAX_NODES = 256;
export const MAX_NODE_TEXT_BYTES = 262144;

/** Function -> the method that it calls; durable ones wait in the outbox until the daemon has them. */
export const METHODS = Object.freeze({
  initialize: { method: "initialize", durable: false },
  sessionOpen: { method: "session.open", durable: true },
  sessionClose: { method: "session.close", durable: true },
  sessionList: { method: "session.list", durable: false },
  agentRegister: { method: "agent.register", durable: true },
  contextAppend: { method: "context.append", durable: true },
  contextRewind: { method: "context.rewind", durable: true },
  runStarted: { method: "run.started", durable: true },
  runCompleted: { method: "run.completed", durable: true },
  memoryCatalog: { method: "memory.catalog", durable: false },
  memoryRecall: { method: "memory.recall", durable: false },
  memoryList: { method: "memory.list", durable: false },
  memoryGet: { method: "memory.get", durable: false },
  memorySearch: { method: "memory.search", durable: false },
  memoryWhy: { method: "memory.why", durable: false },
  memoryForget: { method: "memory.forget", durable: false },
  memoryHistory: { method: "memory.history", durable: false },
  memoryUndo: { method: "memory.undo", durable: false },
  memoryAdopt: { method: "memory.adopt", durable: false },
  extractionTrigger: { method: "extraction.trigger", durable: false },
  extractionList: { method: "extraction.list", durable: false },
  extractionGet: { method: "extraction.get", durable: false },
  extractionRetry: { method: "extraction.retry", durable: false },
  extractionSkip: { method: "extraction.skip", durable: false },
  eventsList: { method: "events.list", durable: false },
  eventsSubscribe: { method: "events.subscribe", durable: false },
  daemonStatus: { method: "daemon.status", durable: false },
  daemonVerify: { method: "daemon.verify", durable: false },
  daemonRepair: { method: "daemon.repair", durable: false },
  configCheck: { method: "config.check", durable: false },
  daemonReload: { method: "daemon.reload", durable: false },
  daemonStop: { method: "daemon.stop", durable: false },
  rpcDiscover: { method: "rpc.discover", durable: false },
});

// Client of soong-memoryd for Node: typed calls over its Unix socket, with an outbox for the times when it does not answer.

export { MemoryClient } from "./client.js";
export * from "./errors.js";
export { batches, buildNode } from "./nodes.js";
export { homePath, socketPath } from "./paths.js";
export { MAX_NODES, MAX_NODE_TEXT_BYTES, METHODS, PROTOCOL_VERSION } from "./protocol.js";

import type { Calls, CallOptions, Methods, Node, RpcCode } from "./protocol.js";

export * from "./protocol.js";

export interface ClientOptions {
  /** The agent home; `$SOONG_AGENT_HOME`, else `~/.soong-agent`. */
  home?: string;
  /** The socket; `$SOONG_MEMORYD_SOCKET` unless `home` is given, else `memoryd/memoryd.sock` in the home. */
  socket?: string;
  /** Milliseconds until a call gives up (5000). */
  timeoutMs?: number;
  /** false: durable calls throw `DaemonUnavailable` instead of waiting. */
  outbox?: boolean;
  /** The version of your program, for the daemon's log. */
  version?: string;
}

type Durable = "session.open" | "session.close" | "agent.register" | "context.append" | "context.rewind" | "run.started" | "run.completed";

/** A client of one daemon, known to it and in the outbox as `name` (1 to 36 of `A-Z a-z 0-9 _ -`). */
export declare class MemoryClient {
  constructor(name: string, options?: ClientOptions);
  readonly socketPath: string;
  /** Called with each event after `eventsSubscribe`; set it before that call. */
  onEvent: ((event: import("./protocol.js").Event) => void) | null;
  /** Any method by its name on the wire. */
  call<M extends keyof Methods>(
    method: M,
    params?: Methods[M]["params"],
    options?: CallOptions,
  ): Promise<M extends Durable ? Methods[M]["result"] | null : Methods[M]["result"]>;
  /** Durable calls: on disk when this returns, sent in the background, in this order. */
  enqueue(calls: Array<{ [M in Durable]: [method: M, params: Methods[M]["params"]] }[Durable]>): Promise<void>;
  /** True when nothing waits any more, false when something does after `timeoutMs`. */
  flush(timeoutMs?: number): Promise<boolean>;
  /** Close the connection; the next call opens another one. */
  close(): void;
}
export interface MemoryClient extends Calls {}

export declare class MemoryClientError extends Error {
  readonly code: string;
}
export declare class SocketPathError extends MemoryClientError {}
export declare class DaemonUnavailable extends MemoryClientError {}
export declare class DeadlineExceeded extends DaemonUnavailable {}
export declare class UntrustedServer extends MemoryClientError {}
export declare class OutboxFull extends MemoryClientError {}
export declare class RpcError extends MemoryClientError {
  readonly number: number;
  readonly code: RpcCode | string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly retryable: boolean;
  readonly hint: string;
}

/** A node with its text cut to what the daemon takes; a cut is said in `metadata`. */
export declare function buildNode(nodeId: string, kind: Node["kind"], text: string, fields?: Partial<Node>): Node;
/** Consecutive nodes in groups that fit into one call each. */
export declare function batches(nodes: Iterable<Node>): Generator<Node[], void>;
export declare function homePath(given?: string, env?: Record<string, string | undefined>): string;
export declare function socketPath(given?: { home?: string; socket?: string }, env?: Record<string, string | undefined>): string;

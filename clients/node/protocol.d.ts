// Generated from the OpenRPC document by `make docs`; do not edit.
// Params and results of every method of the wire; `protocol.js` holds the same as a table.

/** Who is calling, for the log. */
export interface ClientInfo {
  name: string;
  version?: string;
}

/** What one connection may send. */
export interface Limits {
  max_message_bytes: number;
  max_batch: number;
  max_in_flight: number;
  max_nodes: number;
}

/** Who is answering. */
export interface ServerInfo {
  name: string;
  version: string;
}

/** Result of `initialize`. */
export interface InitializeResult {
  protocol_version: number;
  server: ServerInfo;
  limits: Limits;
  memory_enabled: boolean;
}

/** Result of `session.open`: `durable_sequence` is the last node on disk. */
export interface SessionOpenResult {
  session_id: string;
  created: boolean;
  durable_sequence: number;
  unscanned_messages: number;
}

/** `{}`. */
export type EmptyResult = {};

/** One session in a listing. */
export interface SessionState {
  session_id: string;
  title: string | null;
  unscanned_messages: number;
  cursor: number;
  last_sequence: number;
  next_due_at: string | null;
  state: "idle" | "running" | "waiting" | "parked";
}

/** Result of `session.list`. */
export interface SessionListResult {
  sessions: Array<SessionState>;
  total: number;
}

/** Result of `agent.register`. */
export interface AgentRegisterResult {
  agent_id: string;
  kind: "main" | "sub" | "fork" | "worker" | "compact";
}

/** One context node. `origin` left out: by kind; `agent_id`: the main agent; `run_id`: the open root run. */
export interface Node {
  node_id: string;
  parent_id?: string | null;
  agent_id?: string | null;
  run_id?: string | null;
  kind: "user_message" | "assistant_message" | "tool_result" | "compact_summary" | "memory_context" | "other";
  text?: string;
  origin?: "typed" | "generated" | "synthetic" | "external" | null;
  summary?: string | null;
  artifact_refs?: Array<string>;
  metadata?: Record<string, unknown>;
  created_at?: string | null;
}

/** Result of `context.append`, sent when the nodes are on disk. */
export interface ContextAppendResult {
  durable_sequence: number;
  appended: number;
  duplicates: Array<string>;
}

/** Result of `context.rewind`: how many nodes left the path. */
export interface ContextRewindResult {
  abandoned: number;
}

/** Result of `run.started`. */
export interface RunStartedResult {
  cancelled_idle: boolean;
}

/** What the end of a root run decided: why, and when the job may begin. */
export interface Decision {
  reason: "explicit" | "message_backlog" | "token_backlog" | "idle";
  due_at: string;
  job_id: string | null;
}

/** Result of `run.completed`. */
export interface RunCompletedResult {
  decision: Decision | null;
}

/** Result of `memory.catalog`: MEMORY.md as it goes into the system prompt. */
export interface MemoryCatalogResult {
  text: string;
  entries: number;
  truncated: boolean;
  revision: string;
}

/** The recalled text, ready for the model. */
export interface ContextMessage {
  role: "user";
  content: string;
}

/** A chosen memory that is not in the message, and why. */
export interface Omitted {
  id: string;
  reason: string;
}

/** A memory whose text is in the message. */
export interface RecalledMemory {
  id: string;
  category: "user" | "feedback" | "reference";
  summary: string;
  path: string;
  sha256: string;
}

/** Result of `memory.recall`; `message` and `node` are null unless `recalled`. */
export interface MemoryRecallResult {
  status: "recalled" | "already_recalled" | "no_match";
  message: ContextMessage | null;
  node: Record<string, unknown> | null;
  recalled: Array<RecalledMemory>;
  already_recalled: Array<string>;
  omitted: Array<Omitted>;
  selected_by: "model" | "lexical";
  degraded: string | null;
}

/** A node that a confirmed reference rests on. */
export interface EvidenceRef {
  node_id: string;
  kind: string;
}

/** The frontmatter of a memory with its place and the hash of the file's raw bytes. */
export interface MemoryEntry {
  id: string;
  category: "user" | "feedback" | "reference";
  summary: string;
  tags: Array<string>;
  created_at: string;
  updated_at: string;
  source_session_id: string | null;
  source_node_ids: Array<string>;
  confirmed_by_node_id: string | null;
  evidence: Array<EvidenceRef> | null;
  path: string;
  sha256: string;
}

/** Result of `memory.list`, newest first. */
export interface MemoryListResult {
  memories: Array<MemoryEntry>;
  total: number;
}

/** Result of `memory.get`; `sha256` is of the file's raw bytes. */
export interface MemoryGetResult {
  frontmatter: Record<string, unknown>;
  body: string;
  path: string;
  sha256: string;
}

/** One hit of a search. */
export interface Match {
  id: string;
  summary: string;
  score: number;
  path: string;
}

/** Result of `memory.search`, best first. */
export interface MemorySearchResult {
  matches: Array<Match>;
}

/** One entry of the event log, in the order of `sequence`. */
export interface Event {
  sequence: number;
  type: string;
  session_id: string | null;
  job_id: string | null;
  at: string;
  payload: Record<string, unknown>;
}

/** A node that a memory rests on; `excerpt` is null when its text was pruned. */
export interface Source {
  session_id: string;
  node_id: string;
  kind: string | null;
  excerpt: string | null;
  created_at: string | null;
}

/** Result of `memory.why`. */
export interface MemoryWhyResult {
  sources: Array<Source>;
  events: Array<Event>;
}

/** Result of `memory.forget`. */
export interface MemoryForgetResult {
  memory_id: string;
  path: string;
}

/** What a change displaced, and can be put back by `memory.undo`. */
export interface Version {
  version_id: string;
  at: string;
  cause: string;
  sha256: string;
}

/** Result of `memory.history`, newest first. */
export interface MemoryHistoryResult {
  versions: Array<Version>;
}

/** Result of `memory.undo` and `memory.adopt`. */
export interface MemoryWritten {
  memory_id: string;
  path: string;
  sha256: string;
}

/** One extraction job. `due_at` is when it may begin; after a failed attempt it is pending again with `error`. */
export interface Job {
  job_id: string;
  session_id: string;
  reason: "explicit" | "message_backlog" | "token_backlog" | "idle";
  requested_by: "schedule" | "operator";
  status: "pending" | "running" | "completed" | "failed" | "parked" | "cancelled";
  attempt: number;
  due_at: string;
  from_sequence: number | null;
  to_sequence: number | null;
  created_at: string;
  started_at: string | null;
  finished_at: string | null;
  result: Record<string, unknown> | null;
  error: Record<string, unknown> | null;
}

/** Jobs. */
export interface JobsResult {
  jobs: Array<Job>;
}

/** Result of `extraction.skip`: the root user messages that will never be extracted. */
export interface ExtractionSkipResult {
  skipped_node_ids: Array<string>;
}

/** Result of `events.list`; `last` is the newest sequence there is. */
export interface EventsListResult {
  events: Array<Event>;
  last: number;
}

/** Result of `events.subscribe`; then notifications `event` follow on this connection. */
export interface EventsSubscribeResult {
  last: number;
}

/** Result of `daemon.status`. */
export interface StatusResult {
  version: string;
  protocol_version: number;
  pid: number;
  started_at: string;
  home: string;
  socket: string;
  state: "ready" | "degraded" | "draining";
  memory: Record<string, unknown>;
  models: Array<Record<string, unknown>>;
  sessions: Record<string, unknown>;
  jobs: Record<string, unknown>;
  tokens_today: Record<string, unknown>;
  counters: Record<string, unknown>;
}

/** Result of `daemon.verify` and `daemon.repair`: `[{code, path?, memory_id?, text, fix, safe, mended?}]`. */
export interface ProblemsResult {
  problems: Array<Record<string, unknown>>;
}

/** Result of `config.check`: `[{use, provider, name, rung, key_source, state, error}]`. */
export interface ConfigCheckResult {
  profiles: Array<Record<string, unknown>>;
}

/** Params of `initialize`. */
export interface InitializeParams {
  protocol_version: number;
  client: ClientInfo;
}

/** Params of `session.open`. */
export interface SessionOpenParams {
  session_id: string;
  agent_id?: string;
  title?: string | null;
}

/** Params of `session.close`. */
export interface SessionCloseParams {
  session_id: string;
}

/** Params of `session.list`. */
export interface SessionListParams {
  limit?: number;
  offset?: number;
}

/** Params of `agent.register`. */
export interface AgentRegisterParams {
  session_id: string;
  agent_id: string;
  kind: "sub" | "fork" | "worker" | "compact";
  parent_agent_id: string;
}

/** Params of `context.append`. */
export interface ContextAppendParams {
  session_id: string;
  nodes: Array<Node>;
}

/** Params of `context.rewind`. */
export interface ContextRewindParams {
  session_id: string;
  node_id: string;
}

/** Params of `run.started`. */
export interface RunStartedParams {
  session_id: string;
  run_id: string;
  agent_id?: string | null;
}

/** Params of `run.completed`. */
export interface RunCompletedParams {
  session_id: string;
  run_id: string;
  agent_id?: string | null;
  status: "completed" | "failed" | "cancelled";
}

/** Params of `memory.catalog`. */
export interface MemoryCatalogParams {
  session_id?: string | null;
  agent_id?: string | null;
  max_tokens?: number | null;
}

/** Params of `memory.recall`. */
export interface MemoryRecallParams {
  session_id?: string | null;
  agent_id?: string | null;
  run_id?: string | null;
  query: string;
  user_request?: string | null;
  path_summary?: string | null;
  top_k?: number | null;
  token_budget?: number | null;
}

/** Params of `memory.list`. */
export interface MemoryListParams {
  limit?: number;
  offset?: number;
  category?: "user" | "feedback" | "reference" | null;
  tag?: string | null;
}

/** Params of `memory.get`. */
export interface MemoryGetParams {
  memory_id: string;
}

/** Params of `memory.search`. */
export interface MemorySearchParams {
  query: string;
  limit?: number;
}

/** Params of `memory.why`. */
export interface MemoryWhyParams {
  memory_id: string;
}

/** Params of `memory.forget`. */
export interface MemoryForgetParams {
  memory_id: string;
  sha256?: string | null;
  purge?: boolean;
}

/** Params of `memory.history`. */
export interface MemoryHistoryParams {
  memory_id: string;
}

/** Params of `memory.undo`. */
export interface MemoryUndoParams {
  version_id: string;
}

/** Params of `memory.adopt`. */
export interface MemoryAdoptParams {
  edit_id: string;
  sha256?: string | null;
}

/** Params of `extraction.trigger`. */
export interface ExtractionTriggerParams {
  session_id?: string | null;
  wait?: boolean;
}

/** Params of `extraction.list`. */
export interface ExtractionListParams {
  session_id?: string | null;
  status?: "pending" | "running" | "completed" | "failed" | "parked" | "cancelled" | null;
  limit?: number;
}

/** Params of `extraction.get`. */
export interface ExtractionGetParams {
  job_id: string;
}

/** Params of `extraction.retry`. */
export interface ExtractionRetryParams {
  session_id: string;
}

/** Params of `extraction.skip`. */
export interface ExtractionSkipParams {
  session_id: string;
}

/** Params of `events.list`. */
export interface EventsListParams {
  after?: number;
  session_id?: string | null;
  type?: string | null;
  limit?: number;
}

/** Params of `events.subscribe`. */
export interface EventsSubscribeParams {
  after?: number | null;
}

/** Params of `daemon.status`. */
export type DaemonStatusParams = {};

/** Params of `daemon.verify`. */
export type DaemonVerifyParams = {};

/** Params of `daemon.repair`. */
export interface DaemonRepairParams {
  codes: Array<string>;
}

/** Params of `config.check`. */
export type ConfigCheckParams = {};

/** Params of `daemon.reload`. */
export type DaemonReloadParams = {};

/** Params of `daemon.stop`. */
export type DaemonStopParams = {};

/** Params of `rpc.discover`. */
export type RpcDiscoverParams = {};

/** The stable code of an error reply, `error.data.code`. */
export type RpcCode =
  | "parse_error"
  | "invalid_request"
  | "method_not_found"
  | "invalid_params"
  | "internal"
  | "session_unknown"
  | "agent_unknown"
  | "role_denied"
  | "agent_conflict"
  | "node_conflict"
  | "not_found"
  | "memory_disabled"
  | "busy"
  | "storage_full"
  | "read_only"
  | "protocol_version"
  | "memory_changed"
  | "message_too_large"
  | "shutting_down"
  | "model_unconfigured";

/** Method name -> its params and result. */
export interface Methods {
  "initialize": { params: InitializeParams; result: InitializeResult };
  "session.open": { params: SessionOpenParams; result: SessionOpenResult };
  "session.close": { params: SessionCloseParams; result: EmptyResult };
  "session.list": { params: SessionListParams; result: SessionListResult };
  "agent.register": { params: AgentRegisterParams; result: AgentRegisterResult };
  "context.append": { params: ContextAppendParams; result: ContextAppendResult };
  "context.rewind": { params: ContextRewindParams; result: ContextRewindResult };
  "run.started": { params: RunStartedParams; result: RunStartedResult };
  "run.completed": { params: RunCompletedParams; result: RunCompletedResult };
  "memory.catalog": { params: MemoryCatalogParams; result: MemoryCatalogResult };
  "memory.recall": { params: MemoryRecallParams; result: MemoryRecallResult };
  "memory.list": { params: MemoryListParams; result: MemoryListResult };
  "memory.get": { params: MemoryGetParams; result: MemoryGetResult };
  "memory.search": { params: MemorySearchParams; result: MemorySearchResult };
  "memory.why": { params: MemoryWhyParams; result: MemoryWhyResult };
  "memory.forget": { params: MemoryForgetParams; result: MemoryForgetResult };
  "memory.history": { params: MemoryHistoryParams; result: MemoryHistoryResult };
  "memory.undo": { params: MemoryUndoParams; result: MemoryWritten };
  "memory.adopt": { params: MemoryAdoptParams; result: MemoryWritten };
  "extraction.trigger": { params: ExtractionTriggerParams; result: JobsResult };
  "extraction.list": { params: ExtractionListParams; result: JobsResult };
  "extraction.get": { params: ExtractionGetParams; result: Job };
  "extraction.retry": { params: ExtractionRetryParams; result: JobsResult };
  "extraction.skip": { params: ExtractionSkipParams; result: ExtractionSkipResult };
  "events.list": { params: EventsListParams; result: EventsListResult };
  "events.subscribe": { params: EventsSubscribeParams; result: EventsSubscribeResult };
  "daemon.status": { params: DaemonStatusParams; result: StatusResult };
  "daemon.verify": { params: DaemonVerifyParams; result: ProblemsResult };
  "daemon.repair": { params: DaemonRepairParams; result: ProblemsResult };
  "config.check": { params: ConfigCheckParams; result: ConfigCheckResult };
  "daemon.reload": { params: DaemonReloadParams; result: EmptyResult };
  "daemon.stop": { params: DaemonStopParams; result: EmptyResult };
  "rpc.discover": { params: RpcDiscoverParams; result: Record<string, unknown> };
}

/** Of one call. */
export interface CallOptions {
  /** Milliseconds until it gives up; the client's own limit when left out. */
  timeoutMs?: number;
}

/** One function a method; null: a durable call that waits in the outbox. */
export interface Calls {
  /** `initialize` (anyone): Agree on the protocol version; optional. */
  initialize(params: InitializeParams, options?: CallOptions): Promise<InitializeResult>;
  /** `session.open` (agent): Open or reopen a session and name its main agent. */
  sessionOpen(params: SessionOpenParams, options?: CallOptions): Promise<SessionOpenResult | null>;
  /** `session.close` (agent): Close a session; an open run is abandoned. */
  sessionClose(params: SessionCloseParams, options?: CallOptions): Promise<EmptyResult | null>;
  /** `session.list` (operator): Sessions with unscanned counts and next deadlines. */
  sessionList(params?: SessionListParams, options?: CallOptions): Promise<SessionListResult>;
  /** `agent.register` (agent): Register an agent; its kind never changes. */
  agentRegister(params: AgentRegisterParams, options?: CallOptions): Promise<AgentRegisterResult | null>;
  /** `context.append` (agent): Append context nodes, all or none. */
  contextAppend(params: ContextAppendParams, options?: CallOptions): Promise<ContextAppendResult | null>;
  /** `context.rewind` (agent): Take later nodes off the path. */
  contextRewind(params: ContextRewindParams, options?: CallOptions): Promise<ContextRewindResult | null>;
  /** `run.started` (agent): A run began; a waiting idle job is cancelled. */
  runStarted(params: RunStartedParams, options?: CallOptions): Promise<RunStartedResult | null>;
  /** `run.completed` (agent): A run ended; says whether and when to look. */
  runCompleted(params: RunCompletedParams, options?: CallOptions): Promise<RunCompletedResult | null>;
  /** `memory.catalog` (agent): MEMORY.md for the system prompt. */
  memoryCatalog(params?: MemoryCatalogParams, options?: CallOptions): Promise<MemoryCatalogResult>;
  /** `memory.recall` (agent): The full text of what matters now. */
  memoryRecall(params: MemoryRecallParams, options?: CallOptions): Promise<MemoryRecallResult>;
  /** `memory.list` (operator): Frontmatter of memories, newest first. */
  memoryList(params?: MemoryListParams, options?: CallOptions): Promise<MemoryListResult>;
  /** `memory.get` (operator): One memory, whole. */
  memoryGet(params: MemoryGetParams, options?: CallOptions): Promise<MemoryGetResult>;
  /** `memory.search` (operator): Lexical search, no model. */
  memorySearch(params: MemorySearchParams, options?: CallOptions): Promise<MemorySearchResult>;
  /** `memory.why` (operator): Where a memory comes from and what happened to it. */
  memoryWhy(params: MemoryWhyParams, options?: CallOptions): Promise<MemoryWhyResult>;
  /** `memory.forget` (operator): A person's delete. */
  memoryForget(params: MemoryForgetParams, options?: CallOptions): Promise<MemoryForgetResult>;
  /** `memory.history` (operator): What changes displaced. */
  memoryHistory(params: MemoryHistoryParams, options?: CallOptions): Promise<MemoryHistoryResult>;
  /** `memory.undo` (operator): Put a displaced version back. */
  memoryUndo(params: MemoryUndoParams, options?: CallOptions): Promise<MemoryWritten>;
  /** `memory.adopt` (operator): Take a text left in memoryd/edits/. */
  memoryAdopt(params: MemoryAdoptParams, options?: CallOptions): Promise<MemoryWritten>;
  /** `extraction.trigger` (operator): Look now. */
  extractionTrigger(params?: ExtractionTriggerParams, options?: CallOptions): Promise<JobsResult>;
  /** `extraction.list` (operator): Jobs, newest first. */
  extractionList(params?: ExtractionListParams, options?: CallOptions): Promise<JobsResult>;
  /** `extraction.get` (operator): One job. */
  extractionGet(params: ExtractionGetParams, options?: CallOptions): Promise<Job>;
  /** `extraction.retry` (operator): Take a session out of parking. */
  extractionRetry(params: ExtractionRetryParams, options?: CallOptions): Promise<JobsResult>;
  /** `extraction.skip` (operator): Give up the stalled window's messages. */
  extractionSkip(params: ExtractionSkipParams, options?: CallOptions): Promise<ExtractionSkipResult>;
  /** `events.list` (operator): Events in order. */
  eventsList(params?: EventsListParams, options?: CallOptions): Promise<EventsListResult>;
  /** `events.subscribe` (operator): Events as they happen. */
  eventsSubscribe(params?: EventsSubscribeParams, options?: CallOptions): Promise<EventsSubscribeResult>;
  /** `daemon.status` (operator): How the daemon is. */
  daemonStatus(params?: DaemonStatusParams, options?: CallOptions): Promise<StatusResult>;
  /** `daemon.verify` (operator): Everything inconsistent in the data, explained. */
  daemonVerify(params?: DaemonVerifyParams, options?: CallOptions): Promise<ProblemsResult>;
  /** `daemon.repair` (operator): Mend what is safe to mend. */
  daemonRepair(params: DaemonRepairParams, options?: CallOptions): Promise<ProblemsResult>;
  /** `config.check` (operator): One tiny call per model profile. */
  configCheck(params?: ConfigCheckParams, options?: CallOptions): Promise<ConfigCheckResult>;
  /** `daemon.reload` (operator): Read the config again. */
  daemonReload(params?: DaemonReloadParams, options?: CallOptions): Promise<EmptyResult>;
  /** `daemon.stop` (operator): Drain and exit. */
  daemonStop(params?: DaemonStopParams, options?: CallOptions): Promise<EmptyResult>;
  /** `rpc.discover` (anyone): The OpenRPC document. */
  rpcDiscover(params?: RpcDiscoverParams, options?: CallOptions): Promise<Record<string, unknown>>;
}

export declare const PROTOCOL_VERSION: number;
export declare const MAX_NODES: number;
export declare const MAX_NODE_TEXT_BYTES: number;
export declare const METHODS: Readonly<Record<keyof Calls, { method: keyof Methods; durable: boolean }>>;

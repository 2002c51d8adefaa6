-- The first schema. Bodies of memories are never in here; node text is redacted before it arrives.

CREATE TABLE meta (key TEXT PRIMARY KEY, value BLOB NOT NULL) STRICT;

-- sessions: what agents said ---------------------------------------------------------------------------------------
CREATE TABLE sessions (
  session_id TEXT PRIMARY KEY,
  title TEXT,
  main_agent_id TEXT NOT NULL,
  opened_at TEXT NOT NULL,
  closed_at TEXT,
  last_sequence INTEGER NOT NULL DEFAULT 0,
  cursor INTEGER NOT NULL DEFAULT 0,          -- the scan cursor: every node up to here was scanned
  window_failures INTEGER NOT NULL DEFAULT 0, -- invalid answers and overflows since the last success
  window_halvings INTEGER NOT NULL DEFAULT 0,
  parked_at TEXT,
  parked_wall REAL
) STRICT;

CREATE TABLE agents (
  session_id TEXT NOT NULL REFERENCES sessions ON DELETE CASCADE,
  agent_id TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('main', 'sub', 'fork', 'worker', 'compact')),
  parent_agent_id TEXT,
  PRIMARY KEY (session_id, agent_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE nodes (
  session_id TEXT NOT NULL REFERENCES sessions ON DELETE CASCADE,
  sequence INTEGER NOT NULL,
  node_id TEXT NOT NULL,
  parent_id TEXT,
  agent_id TEXT NOT NULL,
  agent_kind TEXT NOT NULL,
  run_id TEXT,
  kind TEXT NOT NULL,
  origin TEXT NOT NULL,
  text TEXT NOT NULL,
  summary TEXT,
  artifact_refs TEXT NOT NULL DEFAULT '[]',
  metadata TEXT NOT NULL DEFAULT '{}',
  created_at TEXT NOT NULL,
  received_at TEXT NOT NULL,
  content_hash BLOB NOT NULL,                 -- keyed hash of the content as received
  candidate INTEGER NOT NULL DEFAULT 0,       -- 1: a root user message that may be extracted
  abandoned INTEGER NOT NULL DEFAULT 0,
  pruned INTEGER NOT NULL DEFAULT 0,          -- text was removed; id, sequence and hash stay
  tokens INTEGER NOT NULL DEFAULT 0,          -- estimate, for the token trigger
  explicit INTEGER NOT NULL DEFAULT 0,        -- 1: the typed prose says to keep something
  PRIMARY KEY (session_id, sequence)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX nodes_by_id ON nodes (session_id, node_id);
CREATE INDEX nodes_known_elsewhere ON nodes (node_id, content_hash);
CREATE INDEX nodes_candidates ON nodes (session_id, sequence) WHERE candidate = 1 AND abandoned = 0;

CREATE TABLE runs (
  session_id TEXT NOT NULL REFERENCES sessions ON DELETE CASCADE,
  run_id TEXT NOT NULL,
  agent_id TEXT NOT NULL,
  root INTEGER NOT NULL,                      -- 1: a run of the main agent
  started_at TEXT,
  started_sequence INTEGER NOT NULL,          -- the session's last sequence when the run began
  completed_at TEXT,
  status TEXT,                                -- completed | failed | cancelled | abandoned
  active_boot_id TEXT NOT NULL,               -- the last sign of life, for run_timeout_seconds
  active_boot REAL NOT NULL,
  active_wall REAL NOT NULL,
  PRIMARY KEY (session_id, run_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX runs_open ON runs (session_id) WHERE completed_at IS NULL;

-- jobs and events ---------------------------------------------------------------------------------------------------
CREATE TABLE jobs (
  job_id TEXT PRIMARY KEY,
  session_id TEXT NOT NULL REFERENCES sessions ON DELETE CASCADE,
  reason TEXT NOT NULL CHECK (reason IN ('explicit', 'message_backlog', 'token_backlog', 'idle')),
  requested_by TEXT NOT NULL CHECK (requested_by IN ('schedule', 'operator')),
  status TEXT NOT NULL CHECK (status IN ('pending', 'running', 'completed', 'failed', 'parked', 'cancelled')),
  attempt INTEGER NOT NULL DEFAULT 0,
  due_boot_id TEXT NOT NULL,
  due_boot REAL NOT NULL,
  due_wall REAL NOT NULL,
  from_sequence INTEGER,
  to_sequence INTEGER,
  created_at TEXT NOT NULL,
  started_at TEXT,
  finished_at TEXT,
  result TEXT,
  error TEXT
) STRICT;
CREATE UNIQUE INDEX jobs_one_pending ON jobs (session_id) WHERE status = 'pending';
CREATE INDEX jobs_by_status ON jobs (status, due_wall);

CREATE TABLE events (
  sequence INTEGER PRIMARY KEY AUTOINCREMENT,
  type TEXT NOT NULL,
  session_id TEXT,
  job_id TEXT,
  at TEXT NOT NULL,
  payload TEXT NOT NULL
) STRICT;
CREATE INDEX events_by_session ON events (session_id, sequence);
CREATE INDEX events_by_type ON events (type, sequence);

CREATE TABLE counters (name TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE spending (
  day TEXT PRIMARY KEY,
  calls INTEGER NOT NULL,
  prompt_tokens INTEGER NOT NULL,
  completion_tokens INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- what an endpoint turned out to understand (llm/ladder.py)
CREATE TABLE endpoints (
  endpoint TEXT NOT NULL,                     -- base_url + model
  model TEXT NOT NULL,
  rung TEXT NOT NULL,
  quirks TEXT NOT NULL DEFAULT '[]',
  at TEXT NOT NULL,
  PRIMARY KEY (endpoint, model)
) STRICT, WITHOUT ROWID;

-- memories: paths and hashes only ---------------------------------------------------------------------------------
CREATE TABLE intents (
  txn TEXT PRIMARY KEY,
  state TEXT NOT NULL CHECK (state IN ('prepared', 'aborting', 'done', 'aborted')),
  created_at TEXT NOT NULL,
  effects TEXT NOT NULL                       -- what else becomes true in the finishing transaction (JSON, no bodies)
) STRICT;
CREATE INDEX intents_open ON intents (state) WHERE state IN ('prepared', 'aborting');

CREATE TABLE intent_files (
  txn TEXT NOT NULL REFERENCES intents ON DELETE CASCADE,
  ord INTEGER NOT NULL,
  op TEXT NOT NULL CHECK (op IN ('create', 'update', 'delete')),
  path TEXT NOT NULL,
  memory_id TEXT NOT NULL,
  base_sha256 TEXT,
  new_sha256 TEXT,
  cause TEXT NOT NULL,
  PRIMARY KEY (txn, ord)
) STRICT, WITHOUT ROWID;

CREATE TABLE known_catalogs (sha256 TEXT PRIMARY KEY, at TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE published (path TEXT PRIMARY KEY, memory_id TEXT NOT NULL, sha256 TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE versions (
  version_id TEXT PRIMARY KEY,                -- names a file below history/: the bytes that a change displaced
  memory_id TEXT NOT NULL,
  path TEXT NOT NULL,
  at TEXT NOT NULL,
  cause TEXT NOT NULL,                        -- update | conflict | edit | forget | undo
  sha256 TEXT NOT NULL
) STRICT;                                    -- the rowid is their order: two may fall into one second
CREATE INDEX versions_by_memory ON versions (memory_id);
CREATE TABLE discarded_versions (version_id TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;  -- their files are still to be removed
CREATE TABLE forgotten_sources (session_id TEXT NOT NULL, node_id TEXT NOT NULL, PRIMARY KEY (session_id, node_id))
  STRICT, WITHOUT ROWID;
-- Every node that a memory rests on, in whichever session: a file names the nodes of its last session only.
CREATE TABLE memory_sources (
  memory_id TEXT NOT NULL,
  session_id TEXT NOT NULL,
  node_id TEXT NOT NULL,
  PRIMARY KEY (memory_id, session_id, node_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX memory_sources_by_node ON memory_sources (session_id, node_id);

PRAGMA user_version = 1;
BEGIN TRANSACTION;
CREATE TABLE agents (
  session_id TEXT NOT NULL REFERENCES sessions ON DELETE CASCADE,
  agent_id TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('main', 'sub', 'fork', 'worker', 'compact')),
  parent_agent_id TEXT,
  PRIMARY KEY (session_id, agent_id)
) STRICT, WITHOUT ROWID;
INSERT INTO "agents" VALUES('s1','helper','sub','main');
INSERT INTO "agents" VALUES('s1','main','main',NULL);
INSERT INTO "agents" VALUES('s2','main','main',NULL);
CREATE TABLE counters (name TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT, WITHOUT ROWID;
INSERT INTO "counters" VALUES('jobs_completed',5);
INSERT INTO "counters" VALUES('nodes',7);
CREATE TABLE discarded_versions (version_id TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
CREATE TABLE endpoints (
  endpoint TEXT NOT NULL,                     -- base_url + model
  model TEXT NOT NULL,
  rung TEXT NOT NULL,
  quirks TEXT NOT NULL DEFAULT '[]',
  at TEXT NOT NULL,
  PRIMARY KEY (endpoint, model)
) STRICT, WITHOUT ROWID;
CREATE TABLE events (
  sequence INTEGER PRIMARY KEY AUTOINCREMENT,
  type TEXT NOT NULL,
  session_id TEXT,
  job_id TEXT,
  at TEXT NOT NULL,
  payload TEXT NOT NULL
) STRICT;
INSERT INTO "events" VALUES(1,'memory_extraction_started','s1','job_0fcdaf5b244d8f4b','2026-11-30T00:53:20Z','{"reason": "explicit", "requested_by": "schedule", "from_sequence": 1, "to_sequence": 1, "model": "scripted"}');
INSERT INTO "events" VALUES(2,'memory_extraction_completed','s1','job_0fcdaf5b244d8f4b','2026-11-30T00:53:20Z','{"reason": "explicit", "requested_by": "schedule", "from_sequence": 1, "to_sequence": 1, "model": "scripted", "created": ["mem_20261130005320_00000001"], "updated": [], "ignored": [], "duplicates": [], "conflicts": [], "source_node_ids": ["n0"], "files_changed": ["user/topic-0-20261130-mem_20261130005320_00000001.md", "MEMORY.md"], "usage": {"calls": 1, "prompt_tokens": 10, "completion_tokens": 10}, "duration_ms": 0}');
INSERT INTO "events" VALUES(3,'memory_extraction_started','s1','job_b2917ee73709fda1','2026-11-30T00:53:20Z','{"reason": "explicit", "requested_by": "schedule", "from_sequence": 2, "to_sequence": 2, "model": "scripted"}');
INSERT INTO "events" VALUES(4,'memory_extraction_completed','s1','job_b2917ee73709fda1','2026-11-30T00:53:20Z','{"reason": "explicit", "requested_by": "schedule", "from_sequence": 2, "to_sequence": 2, "model": "scripted", "created": ["mem_20261130005320_00000002"], "updated": [], "ignored": [], "duplicates": [], "conflicts": [], "source_node_ids": ["n1"], "files_changed": ["user/topic-1-20261130-mem_20261130005320_00000002.md", "MEMORY.md"], "usage": {"calls": 1, "prompt_tokens": 10, "completion_tokens": 10}, "duration_ms": 0}');
INSERT INTO "events" VALUES(5,'memory_extraction_started','s1','job_025706801ba884fd','2026-11-30T00:53:20Z','{"reason": "explicit", "requested_by": "schedule", "from_sequence": 3, "to_sequence": 3, "model": "scripted"}');
INSERT INTO "events" VALUES(6,'memory_extraction_completed','s1','job_025706801ba884fd','2026-11-30T00:53:20Z','{"reason": "explicit", "requested_by": "schedule", "from_sequence": 3, "to_sequence": 3, "model": "scripted", "created": ["mem_20261130005320_00000003"], "updated": [], "ignored": [], "duplicates": [], "conflicts": [], "source_node_ids": ["n2"], "files_changed": ["user/topic-2-20261130-mem_20261130005320_00000003.md", "MEMORY.md"], "usage": {"calls": 1, "prompt_tokens": 10, "completion_tokens": 10}, "duration_ms": 0}');
INSERT INTO "events" VALUES(7,'memory_extraction_started','s1','job_2479c3f119e07e60','2026-11-30T00:53:20Z','{"reason": "explicit", "requested_by": "schedule", "from_sequence": 4, "to_sequence": 4, "model": "scripted"}');
INSERT INTO "events" VALUES(8,'memory_extraction_completed','s1','job_2479c3f119e07e60','2026-11-30T00:53:20Z','{"reason": "explicit", "requested_by": "schedule", "from_sequence": 4, "to_sequence": 4, "model": "scripted", "created": [], "updated": ["mem_20261130005320_00000001"], "ignored": [], "duplicates": [], "conflicts": [], "source_node_ids": ["n3"], "files_changed": ["user/topic-0-20261130-mem_20261130005320_00000001.md", "MEMORY.md"], "usage": {"calls": 1, "prompt_tokens": 10, "completion_tokens": 10}, "duration_ms": 0}');
INSERT INTO "events" VALUES(9,'memory_forgotten',NULL,NULL,'2026-11-30T00:53:20Z','{"memory_id": "mem_20261130005320_00000001", "path": "user/topic-0-20261130-mem_20261130005320_00000001.md", "purged": false}');
INSERT INTO "events" VALUES(10,'memory_extraction_started','s1','job_c9a27a829afa550e','2026-11-30T00:53:20Z','{"reason": "explicit", "requested_by": "schedule", "from_sequence": 5, "to_sequence": 5, "model": "scripted"}');
INSERT INTO "events" VALUES(11,'memory_extraction_completed','s1','job_c9a27a829afa550e','2026-11-30T00:53:20Z','{"reason": "explicit", "requested_by": "schedule", "from_sequence": 5, "to_sequence": 5, "model": "scripted", "created": ["mem_20261130005320_00000004"], "updated": [], "ignored": [], "duplicates": [], "conflicts": [], "source_node_ids": ["n5"], "files_changed": ["user/topic-5-20261130-mem_20261130005320_00000004.md", "MEMORY.md"], "usage": {"calls": 2, "prompt_tokens": 20, "completion_tokens": 11}, "duration_ms": 0}');
CREATE TABLE forgotten_sources (session_id TEXT NOT NULL, node_id TEXT NOT NULL, PRIMARY KEY (session_id, node_id))
  STRICT, WITHOUT ROWID;
INSERT INTO "forgotten_sources" VALUES('s1','n0');
INSERT INTO "forgotten_sources" VALUES('s1','n3');
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
CREATE TABLE intents (
  txn TEXT PRIMARY KEY,
  state TEXT NOT NULL CHECK (state IN ('prepared', 'aborting', 'done', 'aborted')),
  created_at TEXT NOT NULL,
  effects TEXT NOT NULL                       -- what else becomes true in the finishing transaction (JSON, no bodies)
) STRICT;
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
INSERT INTO "jobs" VALUES('job_0fcdaf5b244d8f4b','s1','explicit','schedule','completed',1,'boot-1',1000.0,1796000000.0,1,1,'2026-11-30T00:53:20Z','2026-11-30T00:53:20Z','2026-11-30T00:53:20Z','{"reason": "explicit", "requested_by": "schedule", "from_sequence": 1, "to_sequence": 1, "model": "scripted", "created": ["mem_20261130005320_00000001"], "updated": [], "ignored": [], "duplicates": [], "conflicts": [], "source_node_ids": ["n0"], "files_changed": ["user/topic-0-20261130-mem_20261130005320_00000001.md", "MEMORY.md"], "usage": {"calls": 1, "prompt_tokens": 10, "completion_tokens": 10}, "duration_ms": 0}',NULL);
INSERT INTO "jobs" VALUES('job_b2917ee73709fda1','s1','explicit','schedule','completed',1,'boot-1',1000.0,1796000000.0,2,2,'2026-11-30T00:53:20Z','2026-11-30T00:53:20Z','2026-11-30T00:53:20Z','{"reason": "explicit", "requested_by": "schedule", "from_sequence": 2, "to_sequence": 2, "model": "scripted", "created": ["mem_20261130005320_00000002"], "updated": [], "ignored": [], "duplicates": [], "conflicts": [], "source_node_ids": ["n1"], "files_changed": ["user/topic-1-20261130-mem_20261130005320_00000002.md", "MEMORY.md"], "usage": {"calls": 1, "prompt_tokens": 10, "completion_tokens": 10}, "duration_ms": 0}',NULL);
INSERT INTO "jobs" VALUES('job_025706801ba884fd','s1','explicit','schedule','completed',1,'boot-1',1000.0,1796000000.0,3,3,'2026-11-30T00:53:20Z','2026-11-30T00:53:20Z','2026-11-30T00:53:20Z','{"reason": "explicit", "requested_by": "schedule", "from_sequence": 3, "to_sequence": 3, "model": "scripted", "created": ["mem_20261130005320_00000003"], "updated": [], "ignored": [], "duplicates": [], "conflicts": [], "source_node_ids": ["n2"], "files_changed": ["user/topic-2-20261130-mem_20261130005320_00000003.md", "MEMORY.md"], "usage": {"calls": 1, "prompt_tokens": 10, "completion_tokens": 10}, "duration_ms": 0}',NULL);
INSERT INTO "jobs" VALUES('job_2479c3f119e07e60','s1','explicit','schedule','completed',1,'boot-1',1000.0,1796000000.0,4,4,'2026-11-30T00:53:20Z','2026-11-30T00:53:20Z','2026-11-30T00:53:20Z','{"reason": "explicit", "requested_by": "schedule", "from_sequence": 4, "to_sequence": 4, "model": "scripted", "created": [], "updated": ["mem_20261130005320_00000001"], "ignored": [], "duplicates": [], "conflicts": [], "source_node_ids": ["n3"], "files_changed": ["user/topic-0-20261130-mem_20261130005320_00000001.md", "MEMORY.md"], "usage": {"calls": 1, "prompt_tokens": 10, "completion_tokens": 10}, "duration_ms": 0}',NULL);
INSERT INTO "jobs" VALUES('job_c9a27a829afa550e','s1','explicit','schedule','completed',1,'boot-1',1000.0,1796000000.0,5,5,'2026-11-30T00:53:20Z','2026-11-30T00:53:20Z','2026-11-30T00:53:20Z','{"reason": "explicit", "requested_by": "schedule", "from_sequence": 5, "to_sequence": 5, "model": "scripted", "created": ["mem_20261130005320_00000004"], "updated": [], "ignored": [], "duplicates": [], "conflicts": [], "source_node_ids": ["n5"], "files_changed": ["user/topic-5-20261130-mem_20261130005320_00000004.md", "MEMORY.md"], "usage": {"calls": 2, "prompt_tokens": 20, "completion_tokens": 11}, "duration_ms": 0}',NULL);
CREATE TABLE known_catalogs (sha256 TEXT PRIMARY KEY, at TEXT NOT NULL) STRICT, WITHOUT ROWID;
INSERT INTO "known_catalogs" VALUES('2dea8b4da83aa3bff7bb08df057e7f48569521442ca2b0cdd0fd8ee1490ee0d7','2026-11-30T00:53:20Z');
INSERT INTO "known_catalogs" VALUES('3f86f039c5d720c6497e76627d1e0f8d5906b76a7fb64f134013a4ff6fd7bdfb','2026-11-30T00:53:20Z');
INSERT INTO "known_catalogs" VALUES('93923b48451d5e1f2f950e497b97b377c981fd40e691020830f9ae6ba7c9f742','2026-11-30T00:53:20Z');
INSERT INTO "known_catalogs" VALUES('9585f6e58af69bcae086f928eca6a2cfa711b95b8c29da67a25cc1a8a2eac043','2026-11-30T00:53:20Z');
INSERT INTO "known_catalogs" VALUES('d14d07370d2741c54b6168f4d2601bdab038d4eedbc6a9395481d1ab68c432a8','2026-11-30T00:53:20Z');
INSERT INTO "known_catalogs" VALUES('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855','2026-11-30T00:53:20Z');
INSERT INTO "known_catalogs" VALUES('ecd2219b9cf31ab1fd9ffd73b85a69682c6d653cecd0216923c2428694a025b4','2026-11-30T00:53:20Z');
CREATE TABLE memory_sources (
  memory_id TEXT NOT NULL,
  session_id TEXT NOT NULL,
  node_id TEXT NOT NULL,
  PRIMARY KEY (memory_id, session_id, node_id)
) STRICT, WITHOUT ROWID;
INSERT INTO "memory_sources" VALUES('mem_20261130005320_00000001','s1','n0');
INSERT INTO "memory_sources" VALUES('mem_20261130005320_00000002','s1','n1');
INSERT INTO "memory_sources" VALUES('mem_20261130005320_00000003','s1','n2');
INSERT INTO "memory_sources" VALUES('mem_20261130005320_00000001','s1','n3');
INSERT INTO "memory_sources" VALUES('mem_20261130005320_00000004','s1','n5');
CREATE TABLE meta (key TEXT PRIMARY KEY, value BLOB NOT NULL) STRICT;
INSERT INTO "meta" VALUES('hash_key',X'A0D0CF51F1A8AFD8591F9D8CC429D0B4548523912186513EF75B414B88E85B28');
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
INSERT INTO "nodes" VALUES('s1',1,'n0',NULL,'main','main',NULL,'user_message','typed','remember: topic-0 is value-0, please keep that',NULL,'[]','{}','2026-11-30T00:53:20Z','2026-11-30T00:53:20Z',X'29A60EED783D93E0E62C5715EDCED32E0397F514C43206A2F2E26ADD2E38A387',1,0,0,12,1);
INSERT INTO "nodes" VALUES('s1',2,'n1',NULL,'main','main',NULL,'user_message','typed','remember: topic-1 is value-1, please keep that',NULL,'[]','{}','2026-11-30T00:53:20Z','2026-11-30T00:53:20Z',X'7B8FAA135BEB9D937E7C5F87730CC657CE39164DBA1230A2BD63AAF367815440',1,0,0,12,1);
INSERT INTO "nodes" VALUES('s1',3,'n2',NULL,'main','main',NULL,'user_message','typed','remember: topic-2 is value-2, please keep that',NULL,'[]','{}','2026-11-30T00:53:20Z','2026-11-30T00:53:20Z',X'73BABE9F218DDC9EACB752B96914E76B6B75EECB3EB17E90E674FA31607D0143',1,0,0,12,1);
INSERT INTO "nodes" VALUES('s1',4,'n3',NULL,'main','main',NULL,'user_message','typed','remember: topic-0 is value-3, please keep that',NULL,'[]','{}','2026-11-30T00:53:20Z','2026-11-30T00:53:20Z',X'A3E095E007DA71C9E1E76BC3BC2CE4574F5B1C224BC7DB5CDE47F3470EB70895',1,0,0,12,1);
INSERT INTO "nodes" VALUES('s1',5,'n5',NULL,'main','main',NULL,'user_message','typed','remember: topic-5 is value-5, please keep that',NULL,'[]','{}','2026-11-30T00:53:20Z','2026-11-30T00:53:20Z',X'E8A90D6E54D474CB8BEE2D23ADD80EDF35A2DA181AEBAAE6222A4F17E0193CE5',1,0,0,12,1);
INSERT INTO "nodes" VALUES('s1',6,'t1',NULL,'main','main',NULL,'tool_result','external','output','a tool ran','[]','{}','2026-11-30T00:53:20Z','2026-11-30T00:53:20Z',X'9E491E0BF0F8ADBA0F8EBC43D6DB58F20FFBAB607C4073EC7B2E2086F71D12A2',0,0,0,0,0);
INSERT INTO "nodes" VALUES('s2',1,'m1',NULL,'main','main','r1','user_message','typed','I live in Lisbon.',NULL,'[]','{}','2026-11-30T00:53:20Z','2026-11-30T00:53:20Z',X'ACAE02759BF02ED586328BBFA20F1EB5A98F856C50F2B6C1DD2D6AB6BA8F2404',1,0,0,5,0);
CREATE TABLE published (path TEXT PRIMARY KEY, memory_id TEXT NOT NULL, sha256 TEXT NOT NULL) STRICT, WITHOUT ROWID;
INSERT INTO "published" VALUES('user/topic-1-20261130-mem_20261130005320_00000002.md','mem_20261130005320_00000002','4666182849df5430bc679c3a14d71a9eece7d69a928d065ad79086fee3dc2e4b');
INSERT INTO "published" VALUES('user/topic-2-20261130-mem_20261130005320_00000003.md','mem_20261130005320_00000003','fdadd7ee77107c8bd8d9988563d011aee0ac5f8c2e893b4ca2edbdb82d1a030b');
INSERT INTO "published" VALUES('user/topic-5-20261130-mem_20261130005320_00000004.md','mem_20261130005320_00000004','bb897b4752e948ff4bec0726f7862dd331e0999d25e8a3134b44d8ecba2b2681');
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
INSERT INTO "runs" VALUES('s2','r1','main',1,'2026-11-30T00:53:20Z',0,NULL,NULL,'boot-1',1000.0,1796000000.0);
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
INSERT INTO "sessions" VALUES('s1','a title','main','2026-11-30T00:53:20Z',NULL,6,5,0,0,NULL,NULL);
INSERT INTO "sessions" VALUES('s2',NULL,'main','2026-11-30T00:53:20Z',NULL,1,0,0,0,NULL,NULL);
CREATE TABLE spending (
  day TEXT PRIMARY KEY,
  calls INTEGER NOT NULL,
  prompt_tokens INTEGER NOT NULL,
  completion_tokens INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE versions (
  version_id TEXT PRIMARY KEY,                -- names a file below history/: the bytes that a change displaced
  memory_id TEXT NOT NULL,
  path TEXT NOT NULL,
  at TEXT NOT NULL,
  cause TEXT NOT NULL,                        -- update | conflict | edit | forget | undo
  sha256 TEXT NOT NULL
) STRICT;
INSERT INTO "versions" VALUES('20261130T005320Z-381537bd-0','mem_20261130005320_00000001','user/topic-0-20261130-mem_20261130005320_00000001.md','2026-11-30T00:53:20Z','update','9077abee2fc26da72638d25a1601b85e776183d28457bb33cdbf6f2397f09a1e');
INSERT INTO "versions" VALUES('20261130T005320Z-f8d08a06-0','mem_20261130005320_00000001','user/topic-0-20261130-mem_20261130005320_00000001.md','2026-11-30T00:53:20Z','forget','eee38b21aea289b4588c08c592396bbb2ee7aeb91c106155a058fdefffc7b34b');
CREATE UNIQUE INDEX nodes_by_id ON nodes (session_id, node_id);
CREATE INDEX nodes_known_elsewhere ON nodes (node_id, content_hash);
CREATE INDEX nodes_candidates ON nodes (session_id, sequence) WHERE candidate = 1 AND abandoned = 0;
CREATE INDEX runs_open ON runs (session_id) WHERE completed_at IS NULL;
CREATE UNIQUE INDEX jobs_one_pending ON jobs (session_id) WHERE status = 'pending';
CREATE INDEX jobs_by_status ON jobs (status, due_wall);
CREATE INDEX events_by_session ON events (session_id, sequence);
CREATE INDEX events_by_type ON events (type, sequence);
CREATE INDEX intents_open ON intents (state) WHERE state IN ('prepared', 'aborting');
CREATE INDEX versions_by_memory ON versions (memory_id);
CREATE INDEX memory_sources_by_node ON memory_sources (session_id, node_id);
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('events',11);
COMMIT;

-- What is kept. Events come from journals, sessions' places and ports from small files; everything else is put together from
-- the events (fold.sql) or a view of them, so that the whole can be thrown away and made again.

-- A word that no other store has: numbers of events mean something in this one alone.
create table generation (word text not null);
insert into generation values (lower(hex(randomblob(6))));

create table projects (
  id   integer primary key,
  key  text not null unique,          -- the name of its journal
  root text not null default ''       -- its folder, as far as a session has told it
);

-- How far each file of a journal has been read. A file is known by its first line: closed, it gets another name.
create table parts (
  id      integer primary key,
  project integer not null,
  head    text not null,
  at      integer not null default 0, -- the offset at which the next reading begins
  skipped integer not null default 0, -- lines that could not be read
  unique (project, head)
);

create table events (
  seq      integer primary key,       -- the order in which they came here
  project  integer not null,
  part     integer not null,
  id       text not null,             -- the ULID
  session  text not null,
  turn     integer not null,
  port     text not null,
  type     text not null,
  severity text not null,
  created  integer not null,          -- milliseconds
  summary  text not null,
  details  text
);
create unique index events_id on events (project, id);
create index events_project on events (project);
create index events_type on events (type, created);
create index events_both on events (project, type, created);
create index events_session on events (session, created);

create table sessions (
  project     integer not null,
  id          text not null,
  first       integer not null,       -- times of its events
  last        integer not null,
  asked       integer,                -- when a person was last asked about something
  began       integer,                -- as the client told
  ended       integer,
  events      integer not null,
  turns       integer not null,
  edits       integer not null,
  denied      integer not null,
  questions   integer not null,
  snapshots   integer not null,
  failures    integer not null,
  -- Of its record, not of its events.
  tty         text not null default '',
  parent_pid  integer not null default 0,
  fingerprint text not null default '',
  primary key (id, project)
) without rowid;
create index sessions_fingerprint on sessions (fingerprint);
create index sessions_last on sessions (last);
create index sessions_project on sessions (project, last);

create table turns (
  project   integer not null,
  session   text not null,
  number    integer not null,
  began     integer not null,
  last      integer not null,
  ended     integer,
  request   text,                     -- the time of the first prompt, 20 digits, and its text
  events    integer not null,
  edits     integer not null,
  commands  integer not null,
  denied    integer not null,
  questions integer not null,
  snapshots integer not null,
  failures  integer not null,
  primary key (session, number, project)
) without rowid;
create index turns_began on turns (began);
create index turns_project on turns (project, began);

create table files (
  project integer not null,
  session text not null,
  turn    integer not null,
  path    text not null,
  edits   integer not null,
  last    integer not null,
  primary key (session, turn, path, project)
) without rowid;
create index files_path on files (project, path, last);
create index files_last on files (last);
create index files_project on files (project, last);

create table agents (
  project integer not null,
  session text not null,
  id      text not null,
  type    text,
  turn    integer not null,
  began   integer,
  ended   integer,
  model   text,
  tokens  integer,
  error   text,
  empty   integer,
  primary key (session, id, project)
) without rowid;
create index agents_began on agents (began);
create index agents_project on agents (project, began);

create table ports (
  project integer not null,
  id      text not null,
  title   text not null,
  status  text not null,
  why     text not null,
  parent  text not null,
  created integer not null,
  ended   integer not null,
  primary key (project, id)
) without rowid;

create table port_dependencies (
  project integer not null,
  port    text not null,
  needs   text not null,
  primary key (project, port, needs)
) without rowid;

create view decisions as
  select seq, project, id, session, turn, type, severity, created, summary,
    details ->> 'action' as action, details ->> 'tool' as tool, details ->> 'command' as command,
    details -> 'rules' as rules, details ->> 'answer' as answer, details -> 'exceptions' as exceptions
  from events where type in ('decision', 'escalation');

create view checkpoints as
  select seq, project, id, session, turn, type, created, summary,
    details ->> 'branch' as branch, details ->> 'operation' as operation, details ->> 'commit' as "commit",
    details ->> 'files' as files, details -> 'paths' as paths, details ->> 'safety' as safety, details ->> 'count' as count
  from events where type in ('checkpoint_created', 'checkpoint_restored', 'checkpoint_pruned');

create view verifications as
  select seq, project, id, session, turn, type, created, summary,
    details ->> 'agent' as agent, details ->> 'verifies' as verifies, details ->> 'found' as found,
    details ->> 'files' as files, details ->> 'does' as does, details ->> 'why' as why
  from events where type in ('verified', 'unverified');

create view receipts as
  select seq, project, id, session, turn, port, created, summary,
    details ->> 'status' as status, details ->> 'verified' as verified, details -> 'missing' as missing
  from events where type = 'port_end';

create view tool_calls as
  select seq, project, id, session, turn, type, severity, created, summary,
    coalesce(details ->> 'tool', details ->> 'tool_name') as tool, details ->> 'tool_use_id' as tool_use_id,
    coalesce(details ->> 'command', details ->> 'path') as subject, details ->> 'duration_ms' as duration_ms
  from events where type in ('file_edit', 'tool_failed', 'decision', 'escalation', 'build_failed', 'test_failed', 'permission_asked', 'permission_denied');

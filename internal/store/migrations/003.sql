-- A number of an event is never used again, also where the last events have gone: streams go by it. What is counted is a number,
-- whatever a journal holds there.

drop view decisions;
drop view checkpoints;
drop view verifications;
drop view receipts;
drop view tool_calls;

create table numbered (
  seq      integer primary key autoincrement, -- the order in which they came here
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
insert into numbered select * from events;
drop table events;
alter table numbered rename to events;
create unique index events_id on events (project, id);
create index events_project on events (project);
create index events_type on events (type, created);
create index events_both on events (project, type, created);
create index events_session on events (session, created);

create view decisions as
  select seq, project, id, session, turn, type, severity, created, summary,
    details ->> 'action' as action, details ->> 'tool' as tool, details ->> 'command' as command,
    details -> 'rules' as rules, details ->> 'answer' as answer, details -> 'exceptions' as exceptions
  from events where +type = 'decision'; -- the index of a session stays in use: who asks says the type, too

create view checkpoints as
  select seq, project, id, session, turn, type, created, summary,
    details ->> 'branch' as branch, details ->> 'operation' as operation, details ->> 'commit' as "commit",
    cast(details ->> 'files' as integer) as files, details -> 'paths' as paths, details ->> 'safety' as safety, cast(details ->> 'count' as integer) as count
  from events where type in ('checkpoint_created', 'checkpoint_restored', 'checkpoint_pruned');

create view verifications as
  select seq, project, id, session, turn, type, created, summary,
    details ->> 'agent' as agent, details ->> 'verifies' as verifies, details ->> 'found' as found,
    cast(details ->> 'files' as integer) as files, details ->> 'does' as does, details ->> 'why' as why
  from events where type in ('verified', 'unverified');

create view receipts as
  select seq, project, id, session, turn, port, created, summary,
    details ->> 'status' as status, details ->> 'verified' as verified, details -> 'missing' as missing
  from events where type = 'port_end';

create view tool_calls as
  select seq, project, id, session, turn, type, severity, created, summary,
    coalesce(details ->> 'tool', details ->> 'tool_name') as tool, details ->> 'tool_use_id' as tool_use_id,
    coalesce(details ->> 'command', details ->> 'path') as subject, cast(details ->> 'files' as integer) as files, details -> 'paths' as paths, details ->> 'commit' as "commit"
  from events where type in ('file_edit', 'command_change', 'tool_failed', 'decision', 'build_failed', 'test_failed', 'permission_asked', 'permission_denied');

-- Commands are counted where they changed something, and the files that they changed with those of edits. Before, an entry of the
-- guard about a command counted as one; a question stood in two rows.

update turns set commands = 0;
alter table turns add column unnamed integer not null default 0; -- files that an entry about a command does not name: the most that one has

drop view decisions;
create view decisions as
  select seq, project, id, session, turn, type, severity, created, summary,
    details ->> 'action' as action, details ->> 'tool' as tool, details ->> 'command' as command,
    details -> 'rules' as rules, details ->> 'answer' as answer, details -> 'exceptions' as exceptions
  from events where type = 'decision';

drop view tool_calls;
create view tool_calls as
  select seq, project, id, session, turn, type, severity, created, summary,
    coalesce(details ->> 'tool', details ->> 'tool_name') as tool, details ->> 'tool_use_id' as tool_use_id,
    coalesce(details ->> 'command', details ->> 'path') as subject, details ->> 'files' as files, details -> 'paths' as paths, details ->> 'commit' as "commit"
  from events where type in ('file_edit', 'command_change', 'tool_failed', 'decision', 'build_failed', 'test_failed', 'permission_asked', 'permission_denied');

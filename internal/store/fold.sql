-- Puts the events behind a number together. Each statement gives the same whatever the order, and the portions, in which the
-- events come: rebuilt and fed are equal.

insert into sessions (project, id, first, last, asked, began, ended, events, turns, edits, denied, questions, snapshots, failures)
select project, session, min(created),
  coalesce(max(created) filter (where type not in ('port_start', 'port_end', 'dependency_resolved')), min(created)), -- a person writes these, too: they tell nothing of what the session does
  max(created) filter (where type = 'permission_asked'
    or type = 'escalation' and details ->> 'action' = 'ask'
    or type = 'notification' and (details ->> 'notification_type' like '%prompt' or details ->> 'notification_type' like '%input' or details ->> 'notification_type' like '%dialog')
    or type = 'elicitation' and details ->> 'action' is null),
  min(created) filter (where type = 'session_start'),
  max(created) filter (where type = 'session_end'),
  count(*), max(turn),
  count(*) filter (where type = 'file_edit'),
  count(*) filter (where type = 'decision' and details ->> 'action' = 'deny'),
  count(*) filter (where type = 'decision' and details ->> 'action' = 'ask'),
  count(*) filter (where type = 'checkpoint_created'),
  count(*) filter (where type in ('tool_failed', 'test_failed', 'build_failed', 'turn_failed', 'hook_failed'))
from events where seq > ?1 and session <> '' group by project, session
on conflict do update set
  first = min(first, excluded.first), last = max(last, excluded.last),
  asked = max(coalesce(asked, excluded.asked), coalesce(excluded.asked, asked)),
  began = min(coalesce(began, excluded.began), coalesce(excluded.began, began)),
  ended = max(coalesce(ended, excluded.ended), coalesce(excluded.ended, ended)),
  events = events + excluded.events, turns = max(turns, excluded.turns), edits = edits + excluded.edits,
  denied = denied + excluded.denied, questions = questions + excluded.questions,
  snapshots = snapshots + excluded.snapshots, failures = failures + excluded.failures;

insert into turns (project, session, number, began, last, ended, request, events, edits, commands, unnamed, denied, questions, snapshots, failures)
select project, session, turn, min(created), max(created),
  max(created) filter (where type in ('turn_end', 'turn_failed')),
  min(printf('%020d%s', created, summary)) filter (where type = 'user_request'),
  count(*),
  count(*) filter (where type = 'file_edit'),
  count(*) filter (where type = 'command_change'),
  coalesce(max(max(0, cast(details ->> 'files' as integer) - json_array_length(details, '$.paths'))) filter (where type = 'command_change'), 0),
  count(*) filter (where type = 'decision' and details ->> 'action' = 'deny'),
  count(*) filter (where type = 'decision' and details ->> 'action' = 'ask'),
  count(*) filter (where type = 'checkpoint_created'),
  count(*) filter (where type in ('tool_failed', 'test_failed', 'build_failed', 'turn_failed', 'hook_failed'))
from events where seq > ?1 and session <> '' and (turn > 0 or type in ('file_edit', 'command_change', 'decision')) group by project, session, turn
on conflict do update set
  began = min(began, excluded.began), last = max(last, excluded.last),
  ended = max(coalesce(ended, excluded.ended), coalesce(excluded.ended, ended)),
  request = min(coalesce(request, excluded.request), coalesce(excluded.request, request)),
  events = events + excluded.events, edits = edits + excluded.edits, commands = commands + excluded.commands, unnamed = max(unnamed, excluded.unnamed),
  denied = denied + excluded.denied, questions = questions + excluded.questions,
  snapshots = snapshots + excluded.snapshots, failures = failures + excluded.failures;

insert into files (project, session, turn, path, edits, last)
select project, session, turn, details ->> 'path', count(*), max(created)
from events where seq > ?1 and type = 'file_edit' and details ->> 'path' is not null group by 1, 2, 3, 4
on conflict do update set edits = edits + excluded.edits, last = max(last, excluded.last);

insert into files (project, session, turn, path, edits, last)
select project, session, turn, cast(value as text), count(*), max(created)
from events, json_each(details, '$.paths') where seq > ?1 and events.type = 'command_change' and value is not null group by 1, 2, 3, 4
on conflict do update set edits = edits + excluded.edits, last = max(last, excluded.last);

insert into agents (project, session, id, type, turn, began, ended, model, tokens, error, empty)
select project, session, details ->> 'agent_id', max(details ->> 'agent_type'), min(turn),
  min(created) filter (where type = 'agent_activated'), max(created) filter (where type = 'agent_deactivated'),
  max(details ->> 'model'), max(cast(details ->> 'tokens' as integer)), max(details ->> 'error'), max(cast(details ->> 'empty' as integer))
from events where seq > ?1 and type in ('agent_activated', 'agent_deactivated') and details ->> 'agent_id' is not null group by 1, 2, 3
on conflict do update set
  type = max(coalesce(type, excluded.type), coalesce(excluded.type, type)), turn = min(turn, excluded.turn),
  began = min(coalesce(began, excluded.began), coalesce(excluded.began, began)),
  ended = max(coalesce(ended, excluded.ended), coalesce(excluded.ended, ended)),
  model = max(coalesce(model, excluded.model), coalesce(excluded.model, model)),
  tokens = max(coalesce(tokens, excluded.tokens), coalesce(excluded.tokens, tokens)),
  error = max(coalesce(error, excluded.error), coalesce(excluded.error, error)),
  empty = max(coalesce(empty, excluded.empty), coalesce(excluded.empty, empty));

insert into hours (project, hour, events)
select project, floor(created / 3600000.0), count(*) from events where seq > ?1 group by 1, 2
on conflict do update set events = events + excluded.events;

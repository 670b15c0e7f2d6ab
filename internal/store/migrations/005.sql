-- Whether a call ran that a person was asked about: looked up by the name that both entries have of it.

create index events_call on events (details ->> 'call') where type = 'asked_ran';

drop view decisions;
create view decisions as
  select seq, project, id, session, turn, type, severity, created, summary,
    details ->> 'action' as action, details ->> 'tool' as tool, details ->> 'command' as command,
    iif(json_type(details, '$.rules') = 'array', details -> 'rules', null) as rules, details ->> 'answer' as answer,
    iif(json_type(details, '$.exceptions') = 'array', details -> 'exceptions', null) as exceptions, details ->> 'call' as "call", details ->> 'where' as "where"
  from events where +type = 'decision'; -- the index of a session stays in use: who asks says the type, too

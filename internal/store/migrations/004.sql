-- How many events there were in each hour, so that sums need no look at each of them.

create table hours (
  project integer not null,
  hour    integer not null,          -- since 1970
  events  integer not null,
  primary key (project, hour)
) without rowid;

insert into hours (project, hour, events)
select project, floor(created / 3600000.0), count(*) from events group by 1, 2;

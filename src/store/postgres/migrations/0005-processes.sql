-- Processes that have the store open, by the number under which leases name them, and where they run (home.ts).
create table processes (
  number     bigint  primary key,
  machine    text,
  pid        integer not null,
  started_at bigint  not null
);

-- The last commit of a worker that was applied and how many urls it added, for a worker that did not hear the answer.
-- Apart from the counters, whose rows are folded into one when their workers are gone: a mark must outlive that.
create table marks (
  crawl       integer not null,
  worker      text    not null,
  last_commit bigint  not null,
  last_added  integer not null,
  primary key (crawl, worker)
) with (fillfactor = 50);
insert into marks select crawl, worker, last_commit, last_added from counters where last_commit > 0;
alter table counters drop column last_commit, drop column last_added;

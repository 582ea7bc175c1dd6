-- Processes that have the store open, by the number by which leases name them, and where they run (process-identity.ts).
create table processes (
  number     bigint  primary key,
  machine    text,
  pid        integer not null,
  started_at bigint  not null
);

-- The last commit of a thread that was applied and how many URLs it added, for a thread that did not get the reply. Not
-- in the counters, whose rows are merged when their threads are gone: a mark must outlive that.
create table marks (
  crawl       integer not null,
  worker      text    not null,
  last_commit bigint  not null,
  last_added  integer not null,
  primary key (crawl, worker)
) with (fillfactor = 50);
insert into marks select crawl, worker, last_commit, last_added from counters where last_commit > 0;
alter table counters drop column last_commit, drop column last_added;

-- Policies of hosts (config/policies). `host` is a host name or a pattern; null: the policy leaves it open.
create table domain_policies (
  host           text             primary key,
  weight         double precision,
  rate           double precision,
  recrawl_min_ms bigint,
  recrawl_max_ms bigint,
  updated_at     bigint           not null,
  delay_ms       integer,
  per_host       integer,
  burst          integer,
  max_pages      integer
);

-- Incremented with every change of a policy.
create table policy_version (version bigint not null);
insert into policy_version values (1);

-- What the policy of the host asks between two requests: if the lease is lost, its last request may not have been reported.
alter table leases add column policy_delay_ms integer not null default 0;

-- Hosts are chosen by the rank of their best URL and the weight of their policy (weightedRankSql of frontier/rank.ts).
drop index queues_due;
alter table queues add column weight double precision not null default 1;
alter table queues add column turn_rank smallint not null generated always as (
  case when weight = 1 or rank = 0 then rank
    else (11 - greatest(1, least(10, floor((11 - rank) * weight + 0.5))))::smallint end) stored;
-- Not crawl first: without statistics the planner would consider it as good as the primary key.
create index queues_due on queues (turn_rank, crawl, due_at);

-- Policies of hosts (config/policies). `host` is a host name or a pattern; null: the policy leaves it open.
create table domain_policies (
  host           text    primary key,
  weight         real,
  delay_ms       integer,
  per_host       integer,
  rate           real,
  burst          integer,
  max_pages      integer,
  recrawl_min_ms integer,
  recrawl_max_ms integer,
  updated_at     integer not null
) without rowid;

-- Crawls with --recrawl. What is known of each URL that was visited, and when it is due again.
create table revisits (
  url_id        bigint   not null,
  -- Null while the URL is queued or in flight.
  due_at        bigint,
  interval_ms   bigint   not null,
  visited_at    bigint   not null,
  changed_at    bigint   not null,
  -- The changes expected in the time that was observed (frontier/recrawl/change-rate.ts).
  changes       double precision not null,
  observed_ms   double precision not null,
  crawl         integer  not null,
  host          integer  not null,
  visits        integer  not null,
  -- The last outcome, and `attempts` of the URL when it was queued again.
  attempts      integer  not null default 0,
  state         smallint not null,
  reason        text,
  seen_hash     bytea,
  etag          text,
  last_modified text,
  primary key (crawl, host, url_id)
) with (autovacuum_vacuum_scale_factor = 0.05);
create index revisits_due on revisits (crawl, due_at, url_id) where due_at is not null;

-- One row per crawl with --recrawl. `planned_to`: after a change of settings, visits are planned for URLs up to this id
-- (null: for all). The others are its budget (frontier/recrawl/budget.ts); null: not started.
create table recrawls (
  crawl      integer primary key,
  planned_to bigint,
  threshold  double precision,
  tokens     double precision,
  updated_at bigint
);

-- What a crawl has learned about a host (frontier/host-freshness.ts).
create table revisit_hosts (
  crawl  integer not null,
  host   integer not null,
  tests  integer not null,
  honest integer not null,
  lied   integer not null,
  looks             double precision not null,
  weight            double precision not null,
  log_rates         double precision not null,
  squared_log_rates double precision not null,
  primary key (crawl, host)
) with (fillfactor = 70);

drop index crawls_running;
create index crawls_running on crawls (id) where status in ('running', 'watching');

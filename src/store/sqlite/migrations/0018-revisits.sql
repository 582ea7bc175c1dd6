-- Crawls with --recrawl. What is known of each URL that was visited, and when it is due again.
create table revisits (
  url_id        integer primary key,
  crawl         integer not null,
  -- Null while the URL is queued or in flight.
  due_at        integer,
  interval_ms   integer not null,
  -- The last outcome, and `attempts` of the URL when it was queued again.
  state         integer not null,
  reason        text,
  attempts      integer not null default 0,
  visited_at    integer not null,
  changed_at    integer not null,
  visits        integer not null,
  -- The changes expected in the time that was observed (frontier/recrawl/change-rate.ts).
  changes       real    not null,
  observed_ms   real    not null,
  seen_hash     blob,
  etag          text,
  last_modified text
);
create index revisits_due on revisits (crawl, due_at) where due_at is not null;

-- One row per crawl with --recrawl. `planned_to`: after a change of settings, visits are planned for URLs up to this id
-- (null: for all). The others are its budget (frontier/recrawl/budget.ts); null: not started.
create table recrawls (
  crawl      integer primary key,
  planned_to integer,
  threshold  real,
  tokens     real,
  updated_at integer
);

-- What a crawl has learned about a host (frontier/host-freshness.ts).
create table revisit_hosts (
  crawl  integer not null,
  host   integer not null,
  tests  integer not null,
  honest integer not null,
  lied   integer not null,
  looks             real not null,
  weight            real not null,
  log_rates         real not null,
  squared_log_rates real not null,
  primary key (crawl, host)
) without rowid;

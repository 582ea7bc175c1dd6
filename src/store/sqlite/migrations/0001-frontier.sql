-- One row per crawl, with the ledger as counters: each commit changes them in the transaction that changes the rows.
create table crawls (
  id           integer primary key,
  uuid         text    not null unique,
  status       text    not null,
  -- Set when the crawl must end before its queue is empty: queued URLs become excluded with this reason.
  closing      text,
  reason       text,
  root_url     text    not null,
  seeds        text    not null,
  settings     text    not null,
  key_seed     integer not null,
  created_at   integer not null,
  finished_at  integer,
  active_ms    integer not null default 0,
  -- Queued and in progress: leases are in the memory of the process that owns the file, so rows do not distinguish them.
  open         integer not null default 0,
  visited      integer not null default 0,
  redirected   integer not null default 0,
  forbidden    integer not null default 0,
  not_found    integer not null default 0,
  http_error   integer not null default 0,
  failed       integer not null default 0,
  excluded     integer not null default 0,
  bytes        integer not null default 0,
  late_reports integer not null default 0
);

create table rejections (
  crawl  integer not null,
  reason text    not null,
  count  integer not null,
  primary key (crawl, reason)
) without rowid;

-- The unit of politeness, shared by all crawls.
create table hosts (
  id          integer primary key,
  name        text    not null unique,
  next_at     integer not null default 0,
  response_ms integer not null default 0,
  gap_ms      integer not null default 0
);

-- `state` is one byte in every state (codes start at 2), so that ending a URL rewrites its row in place.
-- `rank` is 11 - priority: 1 goes first, so that the queue index reads forward.
create table urls (
  id            integer primary key,
  crawl         integer not null,
  key           integer not null,
  host          integer not null,
  state         integer not null,
  rank          integer not null,
  depth         integer not null,
  hops          integer not null,
  due_at        integer not null default 0,
  attempts      integer not null default 0,
  parent        integer,
  first_seen_at integer not null,
  url           text    not null,
  reason        text
);

create unique index urls_key on urls (crawl, key);
-- Open URLs only: its size, and so the cost of a lease, does not grow with finished URLs.
create index urls_queue on urls (crawl, host, due_at, rank, id) where state = 2;

-- One row per attempt at a URL.
create table visits (
  url_id         integer not null,
  attempt        integer not null,
  state          integer not null,
  reason         text,
  http_status    integer,
  content_length integer,
  fetch_ms       integer,
  visited_at     integer not null,
  content_hash   blob,
  content_type   text,
  ip             text,
  title          text,
  redirect_to    text,
  primary key (url_id, attempt)
) without rowid;

-- The link graph: keys of the URLs that a page links to, 8 bytes each.
create table links (
  url_id  integer primary key,
  targets blob not null
);

-- Links of pages at the depth limit: not in the ledger, but needed if a shorter path to their page is found.
create table beyond (
  url_id integer primary key,
  crawl  integer not null,
  found  text    not null
);

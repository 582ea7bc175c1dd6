-- Tables that change with every visit have the columns crawl and host, so that a distributed Postgres can shard them by
-- host. None of them has a sequence: their ids come from `blocks`. Times are ms since 1970 by the database's clock; only
-- visited_at and fetched_at are by the worker's clock.

-- The time: that of the database, unless a test passes its own.
create function now_ms(given bigint) returns bigint language sql volatile
  return coalesce(given, floor(extract(epoch from clock_timestamp()) * 1000)::bigint);

create table crawls (
  id          integer generated always as identity primary key,
  uuid        text    not null unique,
  status      text    not null,
  -- Set when the crawl must end before its queue is empty: queued URLs become excluded with this reason.
  closing     text,
  reason      text,
  root_url    text    not null,
  seeds       text    not null,
  settings    text    not null,
  key_seed    bigint  not null,
  created_at  bigint  not null,
  finished_at bigint,
  -- Time spent crawling, and until when it is counted: workers that crawl at the same time count once.
  active_ms    bigint not null default 0,
  active_until bigint not null default 0
);

create index crawls_running on crawls (id) where status = 'running';

-- Processes reserve ids in blocks, each with one update. Ids that a process does not use are never used.
create table blocks (
  name text   primary key,
  next bigint not null
);
insert into blocks (name, next) values ('url', 1), ('host', 1), ('page', 1), ('token', 1), ('process', 1);

-- The ledger, one row per crawl and thread, so that threads do not wait for each other; only the sums mean something. A
-- single row may be negative: a URL found by one thread is ended by another. `worker` names a thread by the number of its
-- process and its id: 17/w2f9-0.
create table counters (
  crawl          integer not null,
  worker         text    not null,
  -- Queued and in progress, and those in progress alone.
  open           bigint  not null default 0,
  in_progress    bigint  not null default 0,
  visited        bigint  not null default 0,
  redirected     bigint  not null default 0,
  forbidden      bigint  not null default 0,
  not_found      bigint  not null default 0,
  http_error     bigint  not null default 0,
  failed         bigint  not null default 0,
  excluded       bigint  not null default 0,
  sitemaps       bigint  not null default 0,
  sitemaps_found bigint  not null default 0,
  bytes          bigint  not null default 0,
  late_reports   bigint  not null default 0,
  -- The last commit that was applied and how many URLs it added, for a thread that did not get the reply.
  last_commit    bigint  not null default 0,
  last_added     integer not null default 0,
  primary key (crawl, worker)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

create table rejections (
  crawl  integer not null,
  worker text    not null,
  reason text    not null,
  count  bigint  not null,
  primary key (crawl, worker, reason)
) with (fillfactor = 50);

-- A few examples of links that were not admitted, by reason.
create table rejection_samples (
  crawl  integer not null,
  reason text    not null,
  sample text    not null,
  url_id bigint  not null,
  primary key (crawl, reason, sample)
);

-- URL patterns that may be traps, as each thread reports them; '' is the owner of the crawl. Readers add them up.
create table patterns (
  crawl      integer not null,
  pattern    text    not null,
  worker     text    not null,
  state      text    not null,
  visits     bigint  not null,
  fruitless  bigint  not null,
  changed_at bigint  not null,
  primary key (crawl, pattern, worker)
);
create index patterns_changed on patterns (crawl, changed_at);

-- The unit of politeness, shared by all crawls.
create table hosts (
  id            integer primary key,
  name          text    not null unique,
  next_at       bigint  not null default 0,
  response_ms   integer not null default 0,
  gap_ms        integer not null default 0,
  strikes       integer not null default 0,
  failures      integer not null default 0,
  failing_since bigint  not null default 0,
  down_until    bigint  not null default 0,
  -- The thread that had it last, and until when the host is reserved for it.
  kept_for      text,
  kept_until    bigint  not null default 0
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02);

-- States are 2 queued, 3 in_progress, then the terminal ones in the order of lib/states.ts.
-- `rank` is 11 - priority: 1 goes first.
create table urls (
  id            bigint   not null,
  key           bigint   not null,
  due_at        bigint   not null default 0,
  first_seen_at bigint   not null,
  parent        bigint,
  -- The token of its lease while it is in progress.
  lease         bigint,
  crawl         integer  not null,
  host          integer  not null,
  depth         integer  not null,
  -- Depth and kind when it was leased. Meanwhile a shorter path may be found, or it may be named as a sitemap.
  leased_depth  integer  not null default 0,
  attempts      integer  not null default 0,
  state         smallint not null,
  rank          smallint not null,
  hops          smallint not null,
  kind          smallint not null default 0,
  leased_kind   smallint not null default 0,
  url           text     not null,
  reason        text,
  primary key (crawl, id, host)
) with (autovacuum_vacuum_scale_factor = 0.05);
create unique index urls_key on urls (crawl, key, host);
create index urls_queue on urls (crawl, host, due_at, rank, id) where state = 2;
create index urls_flight on urls (crawl, host, lease) where state = 3;

-- Hosts of a crawl that have, or may have, queued URLs; due_at is when to check.
create table queues (
  crawl    integer  not null,
  host     integer  not null,
  rank     smallint not null,
  due_at   bigint   not null,
  -- due_at is when the host itself is due: new URLs do not make it due sooner.
  by_host  boolean  not null default false,
  primary key (crawl, host)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
-- Not crawl first: without statistics the planner would consider it as good as the primary key.
create index queues_due on queues (rank, crawl, due_at);

create table leases (
  token      bigint  primary key,
  worker     text    not null,
  crawl      integer not null,
  host       integer not null,
  slots      integer not null,
  -- Reports under it are rejected; host and URLs stay leased until it is released or expires.
  is_fenced  boolean not null default false,
  expires_at bigint  not null
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
create index leases_host on leases (host);
create index leases_expiry on leases (expires_at);
create index leases_worker on leases (worker);

-- One row per attempt at a URL.
create table visits (
  crawl          integer  not null,
  host           integer  not null,
  url_id         bigint   not null,
  attempt        integer  not null,
  state          smallint not null,
  noindex        boolean  not null,
  http_status    integer,
  fetch_ms       integer,
  content_length bigint,
  visited_at     bigint   not null,
  reason         text,
  content_hash   bytea,
  content_type   text,
  ip             text,
  title          text,
  redirect_to    text,
  canonical      text,
  cname          text,
  primary key (crawl, host, url_id, attempt)
);

-- The link graph: keys of the URLs that a page links to, 8 bytes each, little-endian. They do not compress.
create table links (
  crawl   integer not null,
  host    integer not null,
  url_id  bigint  not null,
  targets bytea   not null,
  primary key (crawl, host, url_id)
);
alter table links alter column targets set storage external;

-- Links of pages at the depth limit: not in the ledger, but needed if a shorter path to their page is found.
create table beyond (
  crawl  integer not null,
  host   integer not null,
  url_id bigint  not null,
  found  text    not null,
  primary key (crawl, host, url_id)
);

-- Parents through which a shorter path to a known URL was found; depths are lowered after that commit
-- (apply-shorter-paths.ts). `targets` are keys of those URLs; null: all that the parent links to.
create table detours (
  crawl   integer not null,
  host    integer not null,
  url_id  bigint  not null,
  targets bytea,
  primary key (crawl, host, url_id)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

-- What sitemaps state about a URL.
create table listings (
  crawl      integer not null,
  host       integer not null,
  url_id     bigint  not null,
  lastmod    bigint,
  priority   double precision,
  changefreq text,
  primary key (crawl, host, url_id)
);

-- The robots.txt of an origin, and when to request it again.
create table robots (
  origin     text    primary key,
  asked_at   bigint  not null,
  expires_at bigint  not null,
  status     integer,
  problem    text,
  body       bytea,
  good_at    bigint
);

create table segments (
  id   integer generated always as identity primary key,
  name text    not null unique
);

-- Archived payloads, each once no matter who sent it, with the location of the record that contains it.
create table contents (
  digest     bytea   primary key,
  segment    integer not null,
  length     integer not null,
  "offset"   bigint  not null,
  -- The URL and time of the record, to which later records of the same payload refer.
  crawl      integer not null,
  host       integer not null,
  url_id     bigint  not null,
  fetched_at bigint  not null
);
create index contents_segment on contents (segment, "offset");

-- One row per archived response: a version of its URL. Status, type, size and title are those of its visit.
create table pages (
  id            bigint  not null,
  crawl         integer not null,
  host          integer not null,
  url_id        bigint  not null,
  attempt       integer not null,
  -- 1 for the first archived version of the URL; how often the content had changed by then; when the URL was first seen.
  version       integer not null,
  changes       integer not null,
  first_seen_at bigint  not null,
  -- The same for a URL in every crawl; two URLs may share one, so the text is compared as well.
  url_hash      bigint  not null,
  visited_at    bigint  not null,
  wire_bytes    bigint  not null,
  fingerprint   bigint,
  resembles     bigint,
  -- Location of its own record, with its headers, and the digest of its payload; null if it was not archived.
  "offset"      bigint,
  segment       integer,
  length        integer,
  words         integer,
  content       bytea,
  charset       text,
  lang          text,
  description   text,
  keywords      text,
  note          text,
  primary key (id, host)
);
create index pages_url on pages (url_hash, visited_at);
create index pages_content on pages (content);
create index pages_crawl on pages (crawl, id);

-- Pages by each quarter of their fingerprint: two that differ in at most three bits agree in at least one quarter.
create table fingerprints (
  quarter     integer not null,
  fingerprint bigint  not null,
  page        bigint  not null,
  -- All columns that a lookup needs, so that it reads only the index.
  primary key (quarter, page) include (fingerprint)
);

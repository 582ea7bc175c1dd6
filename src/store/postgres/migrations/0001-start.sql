-- Tables that grow or change with every visit carry crawl and host, so that a distributed Postgres can spread them by
-- host; none of them has a sequence: their ids come from `blocks`. Times are ms since 1970 by the database's own clock;
-- only visited_at and fetched_at are as the worker saw them.

-- The time that counts: the database's, unless a test gives its own.
create function now_ms(given bigint) returns bigint language sql volatile
  return coalesce(given, floor(extract(epoch from clock_timestamp()) * 1000)::bigint);

create table crawls (
  id          integer generated always as identity primary key,
  uuid        text    not null unique,
  status      text    not null,
  -- Set when the crawl shall end before its queue is empty: what is queued becomes excluded with this reason.
  closing     text,
  reason      text,
  root_url    text    not null,
  seeds       text    not null,
  settings    text    not null,
  key_seed    bigint  not null,
  created_at  bigint  not null,
  finished_at bigint,
  -- Time spent crawling, and how far it is told: workers that crawl at the same time count once.
  active_ms    bigint not null default 0,
  active_until bigint not null default 0
);

create index crawls_running on crawls (id) where status = 'running';

-- Ids are handed to processes in blocks, each with one update; what a process does not use up is never used.
create table blocks (
  name text   primary key,
  next bigint not null
);
insert into blocks (name, next) values ('url', 1), ('host', 1), ('page', 1), ('token', 1), ('process', 1);

-- The ledger, one row per crawl and worker so that no two workers wait for each other; its sums are what counts.
-- A single row may be negative: a url found by one worker is ended by another. A worker is named by its process and id.
create table counters (
  crawl          integer not null,
  worker         text    not null,
  -- queued + in_progress, and the second alone.
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
  -- The last commit that was applied and how many urls it added, for a worker that did not hear the answer.
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

-- Patterns of urls that bring little, as each worker reports them; '' is the owner of the crawl. Readers add up.
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
  -- Who had it last, and until when nobody else gets it.
  kept_for      text,
  kept_until    bigint  not null default 0
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02);

-- States are 2 queued, 3 in_progress, then the ended ones in the order of ports/state.ts.
-- `rank` is 11 - priority: 1 goes first.
create table urls (
  id            bigint   not null,
  key           bigint   not null,
  due_at        bigint   not null default 0,
  first_seen_at bigint   not null,
  parent        bigint,
  -- The token that holds it while it is in progress.
  lease         bigint,
  crawl         integer  not null,
  host          integer  not null,
  depth         integer  not null,
  -- Depth and kind that its holder was told; a shorter way or a sitemap's name may turn up meanwhile.
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

-- Hosts of a crawl that have, or may have, queued urls; due_at is when to look.
create table queues (
  crawl    integer  not null,
  host     integer  not null,
  rank     smallint not null,
  due_at   bigint   not null,
  -- due_at is when the host can be had again: new urls make it no sooner due.
  by_host  boolean  not null default false,
  primary key (crawl, host)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
-- Not crawl first: for want of statistics the planner would take it for as good as the primary key.
create index queues_due on queues (rank, crawl, due_at);

create table leases (
  token      bigint  primary key,
  worker     text    not null,
  crawl      integer not null,
  host       integer not null,
  slots      integer not null,
  -- Reports under it are refused; host and urls stay taken until it is handed back or lapses.
  is_fenced  boolean not null default false,
  expires_at bigint  not null
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
create index leases_host on leases (host);
create index leases_expiry on leases (expires_at);
create index leases_worker on leases (worker);

-- One row per attempt at a url.
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

-- The link graph: keys of the urls a page links to, 8 bytes each, little-endian. They do not compress.
create table links (
  crawl   integer not null,
  host    integer not null,
  url_id  bigint  not null,
  targets bytea   not null,
  primary key (crawl, host, url_id)
);
alter table links alter column targets set storage external;

-- Links of pages at the depth limit: not in the ledger, but needed should a shorter way to their page turn up.
create table beyond (
  crawl  integer not null,
  host   integer not null,
  url_id bigint  not null,
  found  text    not null,
  primary key (crawl, host, url_id)
);

-- Urls whose children may be nearer than their rows say, to be looked at after the commit that found it out (detours.ts).
-- `targets` are keys of those children; null: all that the url links to.
create table detours (
  crawl   integer not null,
  host    integer not null,
  url_id  bigint  not null,
  targets bytea,
  primary key (crawl, host, url_id)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

-- What sitemaps say of a url.
create table listings (
  crawl      integer not null,
  host       integer not null,
  url_id     bigint  not null,
  lastmod    bigint,
  priority   double precision,
  changefreq text,
  primary key (crawl, host, url_id)
);

-- The rules of an origin, and when to ask again.
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

-- Payloads that the archive holds, each once whoever sent it: where the record lies that has it.
create table contents (
  digest     bytea   primary key,
  segment    integer not null,
  length     integer not null,
  "offset"   bigint  not null,
  -- The url and time of the record, which later records of the same payload refer to.
  crawl      integer not null,
  host       integer not null,
  url_id     bigint  not null,
  fetched_at bigint  not null
);
create index contents_segment on contents (segment, "offset");

-- One row per kept answer: a version of its url. Status, type, size and title are those of its visit.
create table pages (
  id            bigint  not null,
  crawl         integer not null,
  host          integer not null,
  url_id        bigint  not null,
  attempt       integer not null,
  -- 1 for the first time the url was kept; how often the content had changed by then; when the url was first seen.
  version       integer not null,
  changes       integer not null,
  first_seen_at bigint  not null,
  -- The same for a url in every crawl; two urls may share one, so the text is compared as well.
  url_hash      bigint  not null,
  visited_at    bigint  not null,
  wire_bytes    bigint  not null,
  fingerprint   bigint,
  resembles     bigint,
  -- Where its own record lies, with its headers, and the digest of its payload; null when it was not kept.
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
  -- All that a look needs, so that it reads the index alone.
  primary key (quarter, page) include (fingerprint)
);

-- The search index of a data directory. It can be rebuilt from the archived pages at any time, so a file of another
-- version is deleted and filled again.

-- One row per URL: its newest indexed version.
create table documents (
  page_id      integer primary key,
  crawl        integer not null,
  url_id       integer not null,
  lang         text,
  -- If the page leaves its language open: those it may be, separated by spaces; empty: any.
  possible_langs text,
  http_status  integer,
  depth        integer not null,
  size         integer not null,
  inlinks      integer not null,
  link_rank    real    not null,
  visited_at   integer not null,
  changed_at   integer not null,
  expires_at   integer,
  -- Halves of the fingerprint, 28 bits each.
  print_high   integer,
  print_low    integer,
  version      integer not null,
  -- Labels in reverse, as test.example.www. with a dot after each: a site is a range of keys.
  host_key     text    not null,
  -- Offset of the path in the URL.
  path_start   integer not null,
  content_type text,
  -- Hash of the URL; two URLs may share one, so the URL is compared as well.
  url_hash     integer not null,
  url          text    not null,
  title        text    not null,
  -- Position of its text: see text-blocks.ts.
  block        integer not null,
  place        integer not null
);
create index documents_url on documents (url_hash);
create index documents_rank on documents (link_rank);
create index documents_changed on documents (changed_at);
create index documents_expiry on documents (expires_at) where expires_at is not null;
create index documents_open_lang on documents (host_key) where possible_langs is not null;
create index documents_crawl on documents (crawl);

-- Display fields of several documents each, as JSON in zstd: see text-blocks.ts.
create table text_blocks (
  id        integer primary key,
  documents integer not null,
  -- Documents of the block that still exist.
  live      integer not null,
  content   blob    not null
);

create virtual table terms using fts5 (
  title, headings, anchors, url, description, body, boilerplate,
  -- Hosts and names: see site-terms.ts and entity-terms.ts.
  site,
  content = '', contentless_delete = 1, tokenize = 'ascii'
);
-- Memory for pending terms: fewer and longer runs to merge.
insert into terms (terms, rank) values ('hashsize', 33554432);
-- Merges eight segments at a time: a fifth less to write than with four (2026-11).
insert into terms (terms, rank) values ('automerge', 8);
-- Terms with the tier of their document (see impacts.ts), hosts, names, and quarters of fingerprints; without positions.
create virtual table impacts using fts5 (
  terms, content = '', contentless_delete = 1, detail = none, tokenize = 'ascii'
);
insert into impacts (impacts, rank) values ('hashsize', 33554432);
insert into impacts (impacts, rank) values ('automerge', 8);
create virtual table term_rows using fts5vocab (terms, row);
create virtual table term_places using fts5vocab (terms, instance);

-- Counts of each term per field, from which scores are computed: see term-bag.ts.
create table bags (
  page_id integer primary key,
  -- Number of all terms.
  length  integer not null,
  content blob    not null,
  -- Hashes of its short lines, and of those that the host repeated when the page was first analysed.
  lines    blob   not null,
  repeated blob   not null
);

-- Over all documents. One row.
create table totals (
  documents integer not null,
  terms     integer not null
);
insert into totals values (0, 0);

-- Documents per language; '' stands for unknown.
create table languages (
  lang      text    not null primary key,
  documents integer not null
) without rowid;

create table crawls (
  id     integer primary key,
  uuid   text    not null unique,
  -- URLs visited when its links were ranked.
  ranked_at integer not null default 0,
  -- 0 until its links are ranked.
  created_at integer not null default 0
);

-- Ranks of all URLs in the link graphs of crawls, indexed or not. A document has one of its URL: see link-ranks.ts.
create table ranks (
  crawl      integer not null,
  url_id     integer not null,
  url_hash   integer not null,
  link_rank  real    not null,
  inlinks    integer not null,
  -- Pages of its host in the graph.
  host_pages integer not null,
  is_list    integer not null,
  primary key (crawl, url_id)
) without rowid;
create index ranks_url on ranks (url_hash);

-- Counts per host: documents with a line (see line-counts.ts), and by the language that they say they are in, as JSON.
create table host_lines (
  host      text not null primary key,
  content   blob not null,
  languages text not null
) without rowid;

-- Words as people write them, with document counts.
create table words (
  word      text    not null primary key,
  documents integer not null
) without rowid;

-- Starts of titles in lower case.
create table titles (
  start   text    not null,
  page_id integer not null,
  primary key (start, page_id)
) without rowid;

-- Anchor texts, by the hash of their target URL: the first distinct ones.
create table anchors (
  url_hash integer not null,
  text     text    not null,
  primary key (url_hash, text)
) without rowid;

-- Pages to reindex when no new ones are waiting: see reindex-queue.ts.
create table again (
  page_id integer primary key
);

-- One row.
create table progress (
  -- Every page up to this id is processed.
  page_id  integer not null,
  -- The links of every page up to this id are read.
  links_id integer not null,
  -- For the reported indexing rate.
  pages    integer not null,
  since    integer not null,
  at       integer not null
);
insert into progress values (0, 0, 0, 0, 0);

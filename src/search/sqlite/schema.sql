-- The search index of a data directory. It can be made again from the pages at any time, so a file of another version is
-- thrown away and filled anew.

-- One row per url: the newest version of it that was indexed.
create table documents (
  page_id      integer primary key,
  crawl        integer not null,
  url_id       integer not null,
  lang         text,
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
  -- Labels from the end, as test.example.www. with a dot after each: a site is a range of them.
  host_key     text    not null,
  -- Where the path begins in the url.
  path_start   integer not null,
  content_type text,
  -- The same for a url always; two urls may share one, so the text is compared as well.
  url_hash     integer not null,
  url          text    not null,
  title        text    not null,
  -- Where its text is.
  block        integer not null,
  place        integer not null
);
create index documents_url on documents (url_hash);
create index documents_rank on documents (link_rank);
create index documents_changed on documents (changed_at);
create index documents_expiry on documents (expires_at) where expires_at is not null;
create index documents_crawl_url on documents (crawl, url_id);

-- What is shown of documents, some in each, as JSON in zstd: see text-blocks.ts.
create table text_blocks (
  id        integer primary key,
  documents integer not null,
  -- How many of them are still there.
  live      integer not null,
  content   blob    not null
);

create virtual table terms using fts5 (
  title, headings, anchors, url, description, body, boilerplate,
  -- Hosts: see site-terms.ts.
  site,
  content = '', contentless_delete = 1, tokenize = 'ascii'
);
-- Terms in memory before they are written: fewer and longer runs to merge.
insert into terms (terms, rank) values ('hashsize', 33554432);
-- Merged when there are eight of a kind: a fifth less to write than with four (2026-11).
insert into terms (terms, rank) values ('automerge', 8);
-- Terms where they tell most of what a page is about (see match.ts), hosts, and quarters of fingerprints: which documents
-- have them, and no more.
create virtual table heads using fts5 (
  terms, content = '', contentless_delete = 1, detail = none, tokenize = 'ascii'
);
insert into heads (heads, rank) values ('hashsize', 33554432);
insert into heads (heads, rank) values ('automerge', 8);
create virtual table term_rows using fts5vocab (terms, row);
create virtual table term_places using fts5vocab (terms, instance);

-- How often each term stands in which field: see bag.ts. What scores are counted from.
create table bags (
  page_id integer primary key,
  -- All its terms.
  length  integer not null,
  content blob    not null,
  -- Hashes of its short lines, and of those that many documents of the host had when it was analysed first.
  lines    blob   not null,
  repeated blob   not null
);

-- Over all documents. One row.
create table totals (
  documents integer not null,
  terms     integer not null
);
insert into totals values (0, 0);

-- How many documents are in a language; '' is none that is known.
create table languages (
  lang      text    not null primary key,
  documents integer not null
) without rowid;

create table crawls (
  id     integer primary key,
  uuid   text    not null unique,
  -- How many urls it had visited when its links were ranked.
  ranked_at integer not null default 0
);

-- Of every url in the link graph, whether it is indexed or not.
create table ranks (
  crawl     integer not null,
  url_id    integer not null,
  link_rank real    not null,
  inlinks   integer not null,
  primary key (crawl, url_id)
) without rowid;

-- How many documents of a host have which lines: see line-counts.ts.
create table host_lines (
  host    text not null primary key,
  content blob not null
) without rowid;

-- Words as people write them, and in how many documents.
create table words (
  word      text    not null primary key,
  documents integer not null
) without rowid;

-- Beginnings of titles in lower case.
create table titles (
  start   text    not null,
  page_id integer not null,
  primary key (start, page_id)
) without rowid;

-- Texts of links, by the hash of the url they lead to: the first of them that pages say.
create table anchors (
  url_hash integer not null,
  text     text    not null,
  primary key (url_hash, text)
) without rowid;

-- Pages to be indexed once more, when no new ones wait: see again.ts.
create table again (
  page_id integer primary key
);

-- Every page up to this id is done. One row.
create table progress (
  page_id  integer not null,
  -- Of the last while, for people.
  pages    integer not null,
  since    integer not null,
  at       integer not null
);
insert into progress values (0, 0, 0, 0);

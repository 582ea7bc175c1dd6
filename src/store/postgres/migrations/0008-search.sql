-- The text index of a cluster. Documents, anchors and ranks are keyed by hashes or ids of URLs, so that a distributed
-- Postgres can shard them. Counters of indexers have one row per slot: each writing transaction has its own slot, so none
-- waits for the row of another, and readers add the rows up. A single row may be negative.

-- Pages that are waiting to be indexed. If a page was deleted meanwhile, the hash shows which URL to check again. A page
-- whose bytes could not be read is retried when it is due; 0: not tried yet.
create table index_queue (
  page     bigint  not null,
  host     integer not null,
  url_hash bigint  not null,
  due_at   bigint  not null default 0,
  tries    integer not null default 0,
  primary key (page, host)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
create index index_queue_due on index_queue (due_at, page, host);
insert into index_queue select id, host, url_hash from pages;

-- One row per URL: its highest version. `terms` has every term of the document with its positions. Its labels are A
-- title, B headings, C the fields of `others`, D body; those of `others` are A anchors, B URL, C description,
-- D boilerplate. Positions are counted over all fields in that order; `starts` has the first position of each field.
create table documents (
  url_key        uuid     primary key,
  page           bigint   not null,
  crawl          text     not null,
  url_id         bigint   not null,
  visited_at     bigint   not null,
  changed_at     bigint   not null,
  expires_at     bigint,
  fingerprint    bigint,
  content_length bigint   not null,
  version        integer  not null,
  -- In terms, over all fields.
  length         integer  not null,
  http_status    integer,
  depth          integer  not null,
  -- Where the path begins in the URL, counted from 1.
  path_at        integer  not null,
  url            text     not null,
  host           text     not null,
  lang           text,
  content_type   text,
  title          text     not null,
  -- Its beginning in lower case.
  title_key      text     collate "C" not null,
  starts         smallint[] not null,
  -- Quarters of the fingerprint, each with its number: near-duplicates have one in common.
  quarters       integer[]  not null,
  keywords       text[]   not null,
  entities       jsonb    not null,
  text           text     not null,
  terms          tsvector not null,
  others         tsvector not null
) with (autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05);
-- Vectors do not compress.
alter table documents alter column terms set storage external, alter column others set storage external;
-- Entries pending in the index are read by every search, so there must be few of them.
create index documents_terms on documents using gin (terms) with (gin_pending_list_limit = 1024);
-- The best are read first if there are more than can be ranked.
create index documents_heads on documents using gin (ts_filter(terms, '{a,b}'));
create index documents_quarters on documents using gin (quarters);
create index documents_page on documents (page);
create index documents_url on documents (crawl, url_id);
create index documents_changed on documents (changed_at, page);
create index documents_host on documents (reverse(host) collate "C");
create index documents_title on documents (title_key);

-- Separate from the documents: a new rank must not rewrite their terms.
create table document_ranks (
  crawl     text   not null,
  url_id    bigint not null,
  link_rank real   not null,
  inlinks   bigint not null,
  primary key (crawl, url_id)
);
create index document_ranks_best on document_ranks (link_rank);

-- How many links a crawl had when its ranks were computed.
create table ranked_crawls (
  crawl text   primary key,
  links bigint not null
);

create table anchors (
  url_key uuid     not null,
  slot    smallint not null,
  text    text     not null,
  count   bigint   not null,
  primary key (url_key, slot, text)
) with (fillfactor = 80);

create table term_counts (
  term      text     collate "C" not null,
  slot      smallint not null,
  documents bigint   not null,
  primary key (term, slot)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.1);

-- Words as people write them. Those of deleted documents still count.
create table word_counts (
  word      text     collate "C" not null,
  slot      smallint not null,
  documents bigint   not null,
  primary key (word, slot)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.1);

create table index_counts (
  slot      smallint not null,
  -- '' if unknown.
  lang      text     not null,
  documents bigint   not null,
  terms     bigint   not null,
  primary key (slot, lang)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

-- Pages indexed in each of the last periods.
create table index_pace (
  slot  smallint not null,
  at    bigint   not null,
  pages bigint   not null,
  primary key (slot, at)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

-- How often the term occurs in the vector, counting labels with weight 1, which are the first ones from A on. With
-- positions in the order of their labels, the rank of n of them is the sum of 1 / i^2 for i up to n, divided by pi^2 / 6;
-- the sum is about 1 / (n + 1/2) below its limit. Ten times faster than unnesting the vector (2026-11).
create function occurrences(vector tsvector, term tsquery, labels real[]) returns double precision
  language sql immutable parallel safe
  return floor(1 / (1.6449340668482264 * (1 - ts_rank(labels, vector, term)::double precision)));

-- The same for words with a common prefix, approximately: a word that occurs twice counts for more, but not for twice as
-- much.
create function occurrences_of_any(vector tsvector, terms tsquery, labels real[]) returns double precision
  language sql immutable parallel safe
  return 1.6449340668482264 * ts_rank(labels, vector, terms)::double precision;

-- Whether one field contains all the words, with at most this many terms between the first and the last.
create function has_near(terms tsvector, others tsvector, words text[], distance integer) returns boolean
  language sql immutable parallel safe
  begin atomic
    with places as (
      select u.lexeme, p.at, p.label from unnest(terms) u, unnest(u.positions, u.weights) as p (at, label)
      where u.lexeme = any(words) and p.label <> 'C'
      union all
      select u.lexeme, p.at, 'others ' || p.label from unnest(others) u, unnest(u.positions, u.weights) as p (at, label)
      where u.lexeme = any(words))
    select exists (select 1 from places a where (
      select count(distinct b.lexeme) from places b
      where b.label = a.label and b.at between a.at and a.at + distance + 1) = cardinality(words));
  end;

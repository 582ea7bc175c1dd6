-- Links that were held back as a possible trap (ports/patterns.ts): not in the ledger until they are let in or excluded.
create table held_links (
  url_id  integer primary key,
  crawl   integer not null,
  pattern text    not null,
  found   text    not null
);
create index held_links_pattern on held_links (crawl, pattern);

-- What a page and those before it say, for the urls it leads to: hashes of 4 bytes, little-endian. `trial` is the
-- pattern whose links were let in from it.
create table ancestry (
  url_id    integer primary key,
  host      integer not null,
  skeletons blob,
  trial     text
);

-- Hashes of lines on pages of a pattern: what is new to it shows whether a trial brought something.
create table pattern_lines (
  crawl   integer not null,
  pattern text    not null,
  line    integer not null,
  primary key (crawl, pattern, line)
) without rowid;

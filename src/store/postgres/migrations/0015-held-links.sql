-- Links that were held back as a possible trap (ports/patterns.ts): not in the ledger until they are let in or excluded.
create table held_links (
  crawl   integer not null,
  host    integer not null,
  url_id  bigint  not null,
  pattern text    not null,
  found   text    not null,
  primary key (crawl, host, url_id)
);

-- What a page and those before it say, for the urls it leads to: hashes of 4 bytes, little-endian. `trial` is the
-- pattern whose links were let in from it.
create table ancestry (
  crawl     integer not null,
  host      integer not null,
  url_id    bigint  not null,
  skeletons bytea,
  trial     text,
  primary key (crawl, host, url_id)
);

-- Hashes of lines on pages of a pattern: what is new to it shows whether a trial brought something.
create table pattern_lines (
  crawl   integer not null,
  pattern text    not null,
  line    integer not null,
  primary key (crawl, pattern, line)
);

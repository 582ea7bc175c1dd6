-- Links held back as a possible trap (ports/patterns.ts): not in the ledger until they are admitted or excluded.
create table held_links (
  crawl   integer not null,
  host    integer not null,
  url_id  bigint  not null,
  pattern text    not null,
  found   text    not null,
  primary key (crawl, host, url_id)
);

-- Skeletons of a page and its ancestors, for the URLs found in it: hashes of 4 bytes, little-endian. `trial` is the
-- pattern whose links were admitted from it.
create table ancestry (
  crawl     integer not null,
  host      integer not null,
  url_id    bigint  not null,
  skeletons bytea,
  trial     text,
  primary key (crawl, host, url_id)
);

-- Hashes of lines on pages of a pattern. New ones show that a trial found new content.
create table pattern_lines (
  crawl   integer not null,
  pattern text    not null,
  line    integer not null,
  primary key (crawl, pattern, line)
);

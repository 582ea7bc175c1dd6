-- Links held back as a possible trap (ports/patterns.ts): not in the ledger until they are admitted or excluded.
create table held_links (
  url_id  integer primary key,
  crawl   integer not null,
  pattern text    not null,
  found   text    not null
);
create index held_links_pattern on held_links (crawl, pattern);

-- Skeletons of a page and its ancestors, for the URLs found in it: hashes of 4 bytes, little-endian. `trial` is the
-- pattern whose links were admitted from it.
create table ancestry (
  url_id    integer primary key,
  host      integer not null,
  skeletons blob,
  trial     text
);

-- Hashes of lines on pages of a pattern. New ones show that a trial found new content.
create table pattern_lines (
  crawl   integer not null,
  pattern text    not null,
  line    integer not null,
  primary key (crawl, pattern, line)
) without rowid;

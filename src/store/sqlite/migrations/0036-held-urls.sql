-- Links held back as a possible trap, one row each instead of one per page. `url_id` is the page that has the link; of
-- several, one of the earliest generation. `has_pattern`: the link itself has the shape of the pattern. They are tried in
-- the order of the index.
create table held_urls (
  crawl       integer not null,
  pattern     text    not null,
  key         integer not null,
  url_id      integer not null,
  generation  integer not null,
  has_pattern integer not null,
  found       text    not null,
  primary key (crawl, pattern, key)
) without rowid;
create index held_urls_order on held_urls (crawl, pattern, has_pattern, generation desc, key);

insert or ignore into held_urls (crawl, pattern, key, url_id, generation, has_pattern, found)
select h.crawl, h.pattern, cast(substr(l.value, 1, instr(l.value, char(9)) - 1) as integer), h.url_id, 0, 0, l.value
from held_links h join urls u on u.id = h.url_id
  join json_each('["' || replace(replace(replace(replace(
    h.found, '\', '\\'), '"', '\"'), char(9), '\t'), char(10), '","') || '"]') l
where instr(l.value, char(9)) > 1 order by u.depth;
drop table held_links;

-- The trials of the page itself; `trial` has those of its children. One per line, the newest first: the generation and the
-- pattern.
alter table ancestry add column page_trial text;

-- How far the trials of a pattern have come: how many links were admitted, the generation at which they began or last
-- came to an end, the latest one that was visited, and the latest one that leads to endless paths.
create table pattern_trials (
  crawl    integer not null,
  pattern  text    not null,
  admitted integer not null,
  base     integer not null,
  latest   integer not null,
  endless  integer not null,
  primary key (crawl, pattern)
) without rowid;

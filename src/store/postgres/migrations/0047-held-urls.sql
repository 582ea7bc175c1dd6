-- Links held back as a possible trap, one row each instead of one per page. `host` and `url_id` are the page that has the
-- link; of several, one of the earliest generation. `has_pattern`: the link itself has the shape of the pattern. They are
-- tried in the order of the index.
create table held_urls (
  crawl       integer not null,
  pattern     text    not null,
  key         bigint  not null,
  host        integer not null,
  url_id      bigint  not null,
  generation  integer not null,
  has_pattern boolean not null,
  found       text    not null,
  primary key (crawl, pattern, key)
);
create index held_urls_order on held_urls (crawl, pattern, has_pattern, generation desc, key);

insert into held_urls (crawl, pattern, key, host, url_id, generation, has_pattern, found)
select h.crawl, h.pattern, split_part(l.line, e'\t', 1)::bigint, h.host, h.url_id, 0, false, l.line
from held_links h
  join urls u on u.crawl = h.crawl and u.host = h.host and u.id = h.url_id
  cross join lateral string_to_table(h.found, e'\n') as l (line)
where l.line like e'%\t%' order by u.depth
on conflict do nothing;
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
);

-- Links held back as a possible trap, one row each instead of one per page. `url_id` is the page that has the link; of
-- several, one of the earliest generation. `has_pattern`: the link itself has the shape of the pattern. They are tried in
-- the order of the index. `url_hash` is the same in every crawl, and `key` is not.
create table held_urls (
  crawl       integer not null,
  pattern     text    not null,
  key         integer not null,
  url_id      integer not null,
  generation  integer not null,
  has_pattern integer not null,
  url_hash    integer not null,
  found       text    not null,
  primary key (crawl, pattern, key)
) without rowid;
create index held_urls_order on held_urls (crawl, pattern, has_pattern, generation desc, url_hash);

insert or ignore into held_urls (crawl, pattern, key, url_id, generation, has_pattern, url_hash, found)
select h.crawl, h.pattern, cast(substr(l.value, 1, instr(l.value, char(9)) - 1) as integer), h.url_id, 0, 0,
  cast(substr(l.value, 1, instr(l.value, char(9)) - 1) as integer), l.value
from held_links h join urls u on u.id = h.url_id
  join json_each('["' || replace(replace(replace(replace(
    h.found, '\', '\\'), '"', '\"'), char(9), '\t'), char(10), '","') || '"]') l
where instr(l.value, char(9)) > 1 order by u.depth;
drop table held_links;

-- The patterns that a URL is on trial for, one per line, the newest first: the generation and the pattern.
alter table urls add column trials text;
update urls set trials = (select '1 ' || a.trial from ancestry a where a.url_id = urls.parent)
where state = 2 and parent in (select url_id from ancestry where trial is not null);
alter table ancestry drop column trial;

-- Visits on trial that were not evaluated yet: hashes of the lines of their pages, and keys of the URLs that they added.
create table trial_visits (
  crawl      integer not null,
  url_id     integer not null,
  pattern    text    not null,
  generation integer not null,
  is_visited integer not null,
  is_endless integer not null,
  lines      blob,
  added      blob    not null,
  primary key (crawl, url_id)
) without rowid;

-- Progress of the trials of a pattern: the phase (frontier/judge-pattern.ts), how many paths were endless, the visits and
-- fruitless visits before the phase, how many links were admitted, the generation at which they began or last came to an
-- end, the latest one that was visited, the latest one that leads to endless paths, and the pages that had nothing new.
create table pattern_trials (
  crawl            integer not null,
  pattern          text    not null,
  phase            text    not null default 'trying',
  endless_paths    integer not null default 0,
  visits_before    integer not null default 0,
  fruitless_before integer not null default 0,
  admitted         integer not null,
  base             integer not null,
  latest           integer not null,
  fruitful         integer not null default -1,
  endless          integer not null,
  fruitless_pages  integer not null,
  primary key (crawl, pattern)
) without rowid;

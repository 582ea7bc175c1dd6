-- Links held back as a possible trap, one row each instead of one per page. `host` and `url_id` are the page that has the
-- link; of several, one of the earliest generation. `has_pattern`: the link itself has the shape of the pattern. They are
-- tried in the order of the index. `url_hash` is the same in every crawl, and `key` is not.
create table held_urls (
  crawl       integer not null,
  pattern     text    not null,
  key         bigint  not null,
  host        integer not null,
  url_id      bigint  not null,
  generation  integer not null,
  has_pattern boolean not null,
  url_hash    bigint  not null,
  found       text    not null,
  primary key (crawl, pattern, key)
);
create index held_urls_order on held_urls (crawl, pattern, has_pattern, generation desc, url_hash);

insert into held_urls (crawl, pattern, key, host, url_id, generation, has_pattern, url_hash, found)
select h.crawl, h.pattern, split_part(l.line, e'\t', 1)::bigint, h.host, h.url_id, 0, false,
  split_part(l.line, e'\t', 1)::bigint, l.line
from held_links h
  join urls u on u.crawl = h.crawl and u.host = h.host and u.id = h.url_id
  cross join lateral string_to_table(h.found, e'\n') as l (line)
where l.line like e'%\t%' order by u.depth
on conflict do nothing;
drop table held_links;

-- The patterns that a URL is on trial for, one per line, the newest first: the generation and the pattern.
alter table urls add column trials text;
update urls u set trials = '1 ' || a.trial from ancestry a
where a.trial is not null and a.crawl = u.crawl and a.host = u.host and a.url_id = u.parent and u.state in (2, 3);
alter table ancestry drop column trial;

-- Visits on trial that were not evaluated yet: hashes of the lines of their pages, and keys of the URLs that they added.
create table trial_visits (
  crawl      integer not null,
  host       integer not null,
  url_id     bigint  not null,
  pattern    text    not null,
  generation integer not null,
  is_visited boolean not null,
  is_endless boolean not null,
  lines      bytea,
  added      bytea   not null,
  primary key (crawl, host, url_id)
);

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
);

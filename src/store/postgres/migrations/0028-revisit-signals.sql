-- What is known of a URL besides its visits: how much it matters, which URLs change about as often, and what announces its
-- changes (frontier/recrawl/).
alter table revisits add column importance double precision not null default 1;
alter table revisits add column rate_group text not null default '';
-- Null: no sitemap, or no feed, tells when the URL changes. 0: none has announced a change since the last observation.
-- Otherwise when the first one did.
alter table revisits add column sitemap_signal bigint;
alter table revisits add column feed_signal bigint;
-- When the archived version expires. Null: never, or nothing is archived.
alter table revisits add column expires_at bigint;
update revisits r set expires_at = p.expires_at
  from (select crawl, host, url_id, max(expires_at) as expires_at from pages group by crawl, host, url_id) p
  where p.crawl = r.crawl and p.host = r.host and p.url_id = r.url_id;

-- How often signals of the host were right (frontier/recrawl/signals.ts).
alter table revisit_hosts rename column looks to observations;
alter table revisit_hosts add column sitemap_right double precision not null default 0;
alter table revisit_hosts add column sitemap_wrong double precision not null default 0;
alter table revisit_hosts add column sitemap_missed double precision not null default 0;
alter table revisit_hosts add column feed_right double precision not null default 0;
alter table revisit_hosts add column feed_wrong double precision not null default 0;
alter table revisit_hosts add column feed_missed double precision not null default 0;

-- How often URLs of a group within a host change (frontier/recrawl/rate-groups.ts).
create table revisit_groups (
  crawl integer not null,
  host  integer not null,
  observations      double precision not null,
  weight            double precision not null,
  log_rates         double precision not null,
  squared_log_rates double precision not null,
  name  text    not null,
  primary key (crawl, host, name)
) with (fillfactor = 70);

-- The time that a visit to every URL takes with the budget; null without one.
alter table recrawls add column round_ms double precision;

-- Queued and in flight URLs that were visited before, and pages that were visited, also while they are queued again.
alter table counters add column open_revisits bigint not null default 0;
alter table counters add column known_pages bigint not null default 0;
update revisits r set due_at = r.visited_at + r.interval_ms from urls u
  where r.due_at is null and u.crawl = r.crawl and u.id = r.url_id and u.host = r.host and u.state not in (2, 3);
insert into counters (crawl, worker, open_revisits, known_pages)
  select r.crawl, '0/', count(*) filter (where r.due_at is null), count(*) filter (where r.state = 4 and u.kind = 0)
  from revisits r join urls u on u.crawl = r.crawl and u.id = r.url_id and u.host = r.host group by r.crawl
  on conflict (crawl, worker) do update set open_revisits = excluded.open_revisits, known_pages = excluded.known_pages;

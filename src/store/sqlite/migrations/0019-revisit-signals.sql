-- What is known of a URL besides its visits: how much it matters, which URLs change about as often, and what announces its
-- changes (frontier/recrawl/).
alter table revisits add column importance real not null default 1;
alter table revisits add column rate_group text not null default '';
-- Null: no sitemap, or no feed, tells when the URL changes. 0: none has announced a change since the last observation.
-- Otherwise when the first one did.
alter table revisits add column sitemap_signal integer;
alter table revisits add column feed_signal integer;
-- When the archived version expires. Null: never, or nothing is archived.
alter table revisits add column expires_at integer;
update revisits set expires_at = p.expires_at
  from (select url_id, max(expires_at) as expires_at from pages group by url_id) p where p.url_id = revisits.url_id;

-- How often signals of the host were right (frontier/recrawl/signals.ts).
alter table revisit_hosts rename column looks to observations;
alter table revisit_hosts add column sitemap_right real not null default 0;
alter table revisit_hosts add column sitemap_wrong real not null default 0;
alter table revisit_hosts add column sitemap_missed real not null default 0;
alter table revisit_hosts add column feed_right real not null default 0;
alter table revisit_hosts add column feed_wrong real not null default 0;
alter table revisit_hosts add column feed_missed real not null default 0;

-- How often URLs of a group within a host change (frontier/recrawl/rate-groups.ts).
create table revisit_groups (
  crawl integer not null,
  host  integer not null,
  name  text    not null,
  observations      real not null,
  weight            real not null,
  log_rates         real not null,
  squared_log_rates real not null,
  primary key (crawl, host, name)
) without rowid;

-- The time that a visit to every URL takes with the budget; null without one.
alter table recrawls add column round_ms real;

-- Queued and in flight URLs that were visited before, and pages that were visited, also while they are queued again.
alter table crawls add column open_revisits integer not null default 0;
alter table crawls add column known_pages integer not null default 0;
update revisits set due_at = visited_at + interval_ms
  where due_at is null and exists (select 1 from urls u where u.id = revisits.url_id and u.state <> 2);
update crawls set
  open_revisits = (select count(*) from revisits r where r.crawl = crawls.id and r.due_at is null),
  known_pages = (select count(*) from revisits r join urls u on u.id = r.url_id
    where r.crawl = crawls.id and r.state = 4 and u.kind = 0);

create index contents_damaged on contents (id) where is_damaged = 1;

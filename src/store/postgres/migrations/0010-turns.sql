-- Crawls that want the same host take turns at it.

-- Since when a crawl has waited for a host that another has; null: it does not.
alter table queues add column wanted_at bigint;
create index queues_wanted on queues (host) where wanted_at is not null;

alter table leases add column granted_at bigint not null default 0;

-- The crawl whose turn it is, any of whose workers may have the host until kept_until; null: it is kept for kept_for.
alter table hosts add column kept_crawl integer;

-- Crawls that need the same host take turns.

-- Since when the crawl waits for a host that another crawl has; null: it does not wait.
alter table queues add column wanted_at bigint;
create index queues_wanted on queues (host) where wanted_at is not null;

alter table leases add column granted_at bigint not null default 0;

-- The crawl for which the host is reserved until kept_until; null: it is reserved for the thread in kept_for.
alter table hosts add column kept_crawl integer;

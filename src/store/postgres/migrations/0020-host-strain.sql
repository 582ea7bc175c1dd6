-- Concurrent requests that a host accepts, learned from its refusals (0: no limit is known), the share of its recent
-- responses that were refusals or errors, and since when every response is a refusal.
alter table hosts
  add column concurrency_limit double precision not null default 0,
  add column failure_share double precision not null default 0,
  add column refusing_since bigint not null default 0;

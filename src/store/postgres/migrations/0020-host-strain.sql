-- Requests at a time that a host takes, as learnt from its refusals (0: no limit is known), the share of its recent
-- answers that were refusals or errors, and since when it answers nothing but refusals.
alter table hosts
  add column concurrency_limit double precision not null default 0,
  add column failure_share double precision not null default 0,
  add column refusing_since bigint not null default 0;

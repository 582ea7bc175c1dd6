-- Concurrent requests that a host accepts, learned from its refusals; 0: no limit is known.
alter table hosts add column concurrency_limit real not null default 0;

-- Requests at a time that a host takes, as learnt from its refusals; 0: no limit is known.
alter table hosts add column concurrency_limit real not null default 0;

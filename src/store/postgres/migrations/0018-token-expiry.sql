-- Null: it never expires.
alter table tokens add column expires_at bigint;

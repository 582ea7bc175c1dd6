-- The proxy that a visit went through, without user and password. Null for a direct one.
alter table visits add column proxy text;

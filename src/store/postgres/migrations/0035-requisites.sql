-- Visited URLs that are requisites of pages (kind 2), and therefore not pages themselves.
alter table counters add column requisites bigint not null default 0;

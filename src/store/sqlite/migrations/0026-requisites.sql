-- Visited URLs that are requisites of pages (kind 2), and therefore not pages themselves.
alter table crawls add column requisites integer not null default 0;

-- The index era in which the links of the page were read; 0: not yet, -1: they are read with its document.
alter table index_queue add column links_era bigint not null default 0;
create index index_queue_links on index_queue (page, host) where links_era = 0;

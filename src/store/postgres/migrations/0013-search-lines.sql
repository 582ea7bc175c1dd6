-- Lines that distinguish the boilerplate of a host's pages from their text. Existing documents have no lines: they are
-- indexed again when nothing else waits.
alter table documents add column lines integer[] not null default '{}';
insert into index_queue (page, host, url_hash, due_at) select p.id, p.host, p.url_hash, 1 from documents d
  join pages p on p.id = d.page on conflict (page, host) do nothing;

-- How many documents of a host have each line, packed.
create table host_lines (
  host    text  primary key,
  content bytea not null
);

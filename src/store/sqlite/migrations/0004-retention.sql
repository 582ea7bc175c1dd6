-- Page versions expire at this time (null: never). They are numbered, because earlier versions may be deleted.
alter table pages add column expires_at integer;
alter table pages add column version integer not null default 1;
update pages set expires_at = visited_at + 1826 * 86400000;
update pages set version = counted.version from
  (select p.id, row_number() over (partition by p.url_hash, u.url order by p.visited_at, p.id) as version
   from pages p join urls u on u.id = p.url_id) as counted
  where counted.id = pages.id;

-- Finds expired pages, segment by segment, and what is left in a segment. New rows come at its end.
create index pages_segment on pages (segment, expires_at);

-- The highest id that a page has had. Ids are never reused.
create table page_ids (last integer not null);
insert into page_ids values (0);

-- How many pages have the payload, and since when no page does.
alter table contents add column uses integer not null default 1;
alter table contents add column unused_since integer;
update contents set uses = counted.uses from
  (select content, count(*) as uses from pages where content is not null group by content) as counted
  where counted.content = contents.id;
create index contents_unused on contents (unused_since) where unused_since is not null;

-- 1: the page whose response contained the payload is deleted; its record stays for the payload.
alter table contents add column is_alone integer not null default 0;
create index contents_alone on contents (segment) where is_alone = 1;

-- Bytes of records that are no longer referenced. Nothing refers to a forgotten segment; its file can be deleted.
alter table segments add column dead_bytes integer not null default 0;
alter table segments add column is_forgotten integer not null default 0;

update crawls set settings = json_set(settings, '$.keepDays', 1826);

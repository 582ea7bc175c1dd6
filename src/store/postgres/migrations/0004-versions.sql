-- Versions of a URL in the order of their numbers: the clock may have been ahead when one was written.
drop index pages_url;
create index pages_url on pages (url_hash, version);

-- With the offsets, so that the index alone shows up to where a segment is referenced.
drop index pages_segment;
create index pages_segment on pages (segment, expires_at) include ("offset", length);

-- When retention last ran, if ever: a clock that jumps years ahead must not delete everything.
create table last_expiry (at bigint not null);
insert into last_expiry select max(coalesce(finished_at, created_at)) from crawls having count(*) > 0;

update crawls set settings = (settings::jsonb || '{"archiveMaxByType": {}}')::text
  where not settings::jsonb ? 'archiveMaxByType';

-- Versions of a url in the order of their numbers: the clock may have been ahead when one was made.
drop index pages_url;
create index pages_url on pages (url_hash, version);

-- With the places, so that how far a segment is pointed at is told by the index alone.
drop index pages_segment;
create index pages_segment on pages (segment, expires_at, offset, length);

-- When retention last ran, once it has: a clock that leaps years ahead must not drop everything.
create table last_expiry (at integer not null);
insert into last_expiry select max(coalesce(finished_at, created_at)) from crawls having count(*) > 0;

update crawls set settings = json_set(settings, '$.archiveMaxByType', json('{}'));

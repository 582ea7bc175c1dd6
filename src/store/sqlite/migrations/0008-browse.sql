-- The urls of a crawl in the order of their ids, whatever other crawls put between them. New rows come at its end.
create index urls_crawl on urls (crawl);

-- Urls that ended badly, with all that counting them needs. Good ones never touch it.
create index urls_bad on urls (crawl, id, state, reason) where state between 6 and 9;

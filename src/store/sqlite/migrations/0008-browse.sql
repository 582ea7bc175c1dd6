-- The URLs of a crawl in the order of their ids, no matter what other crawls insert between them. New rows come at its end.
create index urls_crawl on urls (crawl);

-- URLs that ended badly, with all columns needed to count them. Good URLs are not in it.
create index urls_bad on urls (crawl, id, state, reason) where state between 6 and 9;

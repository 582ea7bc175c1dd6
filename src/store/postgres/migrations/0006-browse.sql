-- Urls that ended badly, with all that counting them needs. Good ones never touch it.
create index urls_bad on urls (crawl, id) include (state, reason) where state between 6 and 9;

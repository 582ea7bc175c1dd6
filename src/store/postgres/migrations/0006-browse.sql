-- URLs that ended badly, with all columns needed to count them. Good URLs are not in it.
create index urls_bad on urls (crawl, id) include (state, reason) where state between 6 and 9;

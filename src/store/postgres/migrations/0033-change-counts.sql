-- Counts by crawl, kind and time read only this index.
create index changes_counted on changes (crawl, kind, at, cursor);

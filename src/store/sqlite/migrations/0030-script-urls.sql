-- URLs that only scripts of pages name; no page links to them (`--script-urls`).
create table script_urls (
  url_id integer primary key
);

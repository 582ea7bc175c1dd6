-- URL patterns whose pages gain links or text when they are rendered (ports/render-patterns.ts).
create table render_patterns (
  crawl   integer not null,
  pattern text    not null,
  primary key (crawl, pattern)
) without rowid;

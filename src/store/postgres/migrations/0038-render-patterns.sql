-- URL patterns whose pages gain links or text when they are rendered (ports/render-patterns.ts).
create table render_patterns (
  crawl      integer not null,
  pattern    text    not null,
  -- The URL up to which visited pages were checked for the pattern; null: all were.
  checked_to bigint,
  primary key (crawl, pattern)
);

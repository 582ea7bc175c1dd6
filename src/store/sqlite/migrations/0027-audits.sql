-- Audits of crawls (ports/audits.ts). Progress, summary and findings are JSON.
create table audits (
  id          integer primary key autoincrement,
  crawl       integer not null,
  state       text    not null,
  started_at  integer not null,
  updated_at  integer not null,
  finished_at integer,
  progress    text    not null,
  summary     text,
  problem     text
);
create index audits_crawl on audits (crawl);

-- The findings of a rule, in chunks.
create table audit_findings (
  crawl    integer not null,
  audit    integer not null,
  rule     text    not null,
  chunk    integer not null,
  findings text    not null
);
create unique index audit_findings_chunk on audit_findings (audit, rule, chunk);
create index audit_findings_crawl on audit_findings (crawl);

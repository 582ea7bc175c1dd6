-- Payloads that the archive holds, each once whoever sent it: where the record lies that has it.
create table segments (
  id   integer primary key,
  name text    not null unique
);

create table contents (
  id           integer primary key,
  digest       blob    not null unique,
  segment      integer not null,
  offset       integer not null,
  length       integer not null,
  -- The url and time of the record, which later records of the same payload refer to.
  url_id       integer not null,
  fetched_at   integer not null
);

-- One row per kept answer: a version of its url. Status, type, size and title are those of its visit.
create table pages (
  id            integer primary key,
  url_id        integer not null,
  attempt       integer not null,
  -- The same for a url in every crawl; two urls may share one, so the text is compared as well.
  url_hash      integer not null,
  visited_at    integer not null,
  -- Where its own record lies, with its headers, and which payload it has; null when it was not kept.
  segment       integer,
  offset        integer,
  length        integer,
  content       integer,
  wire_bytes    integer not null,
  charset       text,
  lang          text,
  description   text,
  keywords      text,
  words         integer,
  fingerprint   integer,
  resembles     integer,
  note          text,
  -- How often the content had changed by then, and when the url was first seen.
  changes       integer not null,
  first_seen_at integer not null
);
create index pages_url on pages (url_hash, visited_at);

-- Pages by each quarter of their fingerprint: two that differ in at most three bits agree in at least one quarter.
-- Entries of 12 bytes: the two halves of the fingerprint and the page.
create table fingerprints (
  quarter integer primary key,
  entries blob not null
);

update crawls set settings = json_set(settings, '$.documents', json('false'), '$.archive', 'none', '$.archiveMaxBytes', 0,
  '$.archiveInclude', json('[]'), '$.archiveExclude', json('[]'), '$.skipNearDuplicates', json('false'));

-- Archived payloads, each once no matter who sent it, with the location of the record that contains it.
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
  -- The URL and time of the record, to which later records of the same payload refer.
  url_id       integer not null,
  fetched_at   integer not null
);

-- One row per archived response: a version of its URL. Status, type, size and title are those of its visit.
create table pages (
  id            integer primary key,
  url_id        integer not null,
  attempt       integer not null,
  -- The same for a URL in every crawl; two URLs may share one, so the text is compared as well.
  url_hash      integer not null,
  visited_at    integer not null,
  -- Location of its own record, with its headers, and its payload; null if it was not archived.
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
  -- How often the content had changed by then, and when the URL was first seen.
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

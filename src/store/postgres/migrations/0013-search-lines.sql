-- What tells the frame of a host's pages from their text. Documents that are there already have no lines: `index rebuild`
-- gives them theirs.
alter table documents add column lines integer[] not null default '{}';

-- How many documents of a host have which lines, packed.
create table host_lines (
  host    text  primary key,
  content bytea not null
);

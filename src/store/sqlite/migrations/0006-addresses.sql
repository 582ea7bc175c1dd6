-- Where a worker serves the records of its archive folder.
alter table workers add column address text;

-- Where a worker can be asked for what its folder keeps.
alter table workers add column address text;

-- What was extracted from a page version, as JSON: own fields and structured data.
alter table pages add column data text;

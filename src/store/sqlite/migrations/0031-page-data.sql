-- What was extracted from a page version, as JSON: own fields and structured data. The last column, so that reading others
-- does not touch it.
alter table pages add column data text;

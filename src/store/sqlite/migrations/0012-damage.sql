-- The record that has the payload turned out damaged: the next answer with the same payload brings it anew.
alter table contents add column is_damaged integer not null default 0;

update crawls set settings = json_set(settings, '$.archiveRequests', 'off');

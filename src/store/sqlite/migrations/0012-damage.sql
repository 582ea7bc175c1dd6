-- The record of the payload is damaged: the next response with the same payload is archived again.
alter table contents add column is_damaged integer not null default 0;

update crawls set settings = json_set(settings, '$.archiveRequests', 'off');

-- When the status of a crawl last changed, so that several processes that see a change can tell that it is the same one;
-- 0: never. Set by a trigger, since many statements change the status.
alter table crawls add column status_at integer not null default 0;

create trigger crawls_status_at after update of status on crawls when old.status <> new.status begin
  update crawls set status_at = cast(unixepoch('subsec') * 1000 as integer) where id = new.id;
end;

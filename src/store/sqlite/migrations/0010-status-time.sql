-- When the status of a crawl last changed, by which several processes that see the change know it for the same one;
-- 0: it never has. Set by the table itself, since many statements change the status.
alter table crawls add column status_at integer not null default 0;

create trigger crawls_status_at after update of status on crawls when old.status <> new.status begin
  update crawls set status_at = cast(unixepoch('subsec') * 1000 as integer) where id = new.id;
end;

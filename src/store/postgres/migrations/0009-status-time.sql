-- When the status of a crawl last changed, so that several processes that see a change can tell that it is the same one;
-- 0: never. Set by a trigger, since many statements change the status.
alter table crawls add column status_at bigint not null default 0;

create function note_status_at() returns trigger language plpgsql as $$
begin
  new.status_at := now_ms(null);
  return new;
end $$;

create trigger crawls_status_at before update of status on crawls
  for each row when (old.status <> new.status) execute function note_status_at();

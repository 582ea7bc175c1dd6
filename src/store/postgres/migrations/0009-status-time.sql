-- When the status of a crawl last changed, by which several processes that see the change know it for the same one;
-- 0: it never has. Set by the table itself, since many statements change the status.
alter table crawls add column status_at bigint not null default 0;

create function note_status_at() returns trigger language plpgsql as $$
begin
  new.status_at := now_ms(null);
  return new;
end $$;

create trigger crawls_status_at before update of status on crawls
  for each row when (old.status <> new.status) execute function note_status_at();

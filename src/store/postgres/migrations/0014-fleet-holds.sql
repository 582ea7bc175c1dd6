-- Why no worker may claim URLs, who asked for it, and until when, unless it is renewed.
create table fleet_holds (
  reason text   not null,
  holder text   not null,
  until  bigint not null,
  primary key (reason, holder)
);

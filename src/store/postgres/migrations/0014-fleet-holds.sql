-- Why no worker shall take urls, who asks for it, and until when, unless they say so again.
create table fleet_holds (
  reason text   not null,
  holder text   not null,
  until  bigint not null,
  primary key (reason, holder)
);

-- Requests to hosts: those that rendered pages made (`rendered`), and all others (`sent`).
alter table subrequests rename to host_requests;
alter table host_requests rename column requests to rendered;
alter table host_requests add column sent integer not null default 0;

-- Hits of a monitor that were deleted because there were too many, and those of them that webhooks were never told of.
alter table monitors add column deleted_hits integer not null default 0;
alter table monitors add column dropped_hits integer not null default 0;

-- When the lease was granted or last renewed: leases of lost workers are requeued by this time. Null: granted by a process
-- of an older version; such leases expire.
alter table leases add column renewed_at bigint;

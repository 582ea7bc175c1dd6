-- When the holder of a lease last showed that it has it. What a lost worker holds is taken back by this time; null: by a
-- process of an older version, whose leases lapse.
alter table leases add column renewed_at bigint;

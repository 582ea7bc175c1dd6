// Reasons for which all crawls of a process start no requests, whatever their hosts do.

export const HOLD_REASONS = [
  'max_disk',
  'low_disk',
  'index_lag',
  'slow_store',
  'archive_store',
  'memory',
  'no_worker',
  'reader_lag',
] as const
export type HoldReason = (typeof HOLD_REASONS)[number]

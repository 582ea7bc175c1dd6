// Settings of a process that crawls: its archive files, disk, memory, store connections and threads.

import { availableParallelism, totalmem } from 'node:os'
import { s3Url } from '../address-kinds.ts'
import { defaultMemory, MIN_MEMORY } from '../memory-budget.ts'
import { optional, setting } from '../setting.ts'
import { byteSize, listOf, oneOf, onOff, positiveNumber, text, wholeNumber } from '../setting-kinds.ts'

const DAY_MS = 86_400_000
const GIB = 1024 ** 3
const LARGEST_DISK = 1024 * 1024 * GIB
/** The memory of the container, if there is one. */
const MACHINE_BYTES = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY)

export const CRAWLING_SETTINGS = {
  durability: setting(
    oneOf(['disk', 'process']),
    'disk',
    'When a response counts as archived: after it is synced to disk (survives a power cut) or handed to the operating system (survives kill -9).',
  ),
  archiveCodec: setting(
    oneOf(['zstd', 'gzip']),
    'zstd',
    'Compression of new archive segments: zstd (.warc.zst) takes less CPU time, gzip (.warc.gz) is read by more programs. Both are always read, and exports are gzip.',
  ),
  segmentSize: optional(
    byteSize(1024 ** 2, 100 * GIB),
    'Close an archive segment at this size. If omitted, 1g, or 64m with --archive-store, where it is at most 4g.',
  ),
  segmentAge: optional(
    wholeNumber(1000, 365 * DAY_MS, 'MS'),
    'Close an archive segment at this age. If omitted, a day, or 5 minutes with --archive-store.',
  ),
  archiveStore: setting(
    listOf(s3Url()),
    [],
    'S3-compatible bucket for the archive: closed segments are uploaded to it, and every process reads them from there. Must be the same for all processes of a store. Parameters: endpoint, region, style (path or host), mode (read: takes no new segments). Repeatable; each segment is in one of the buckets.',
  ),
  archiveCache: setting(
    byteSize(0, LARGEST_DISK),
    GIB,
    'Total size of the copies of uploaded segments that are kept in the data directory; at most half of --max-disk.',
  ),
  maxUploadBacklog: setting(
    byteSize(1024 ** 2, LARGEST_DISK),
    4 * GIB,
    'Hold the crawl while more than this waits to be uploaded to --archive-store, until half of it is uploaded.',
  ),
  uploadBeforeCommit: setting(
    onOff(),
    false,
    'Commit a page only after it is in --archive-store: losing a machine then loses no page. A commit waits up to 250 ms for others and then for the upload, which makes many small segments.',
  ),
  maxDisk: setting(
    byteSize(0, LARGEST_DISK),
    0,
    'Hold the crawl while the data directory is larger than this; 0: no limit.',
  ),
  minFreeDisk: setting(
    byteSize(0, LARGEST_DISK),
    200 * 1024 ** 2,
    'Hold the crawl while less disk space than this is free; 0: run until the disk is full, which ends the run.',
  ),
  memory: setting(
    byteSize(MIN_MEMORY, LARGEST_DISK),
    defaultMemory(MACHINE_BYTES),
    'Memory budget of the process. Caches and batches are sized from it; above it, caches are dropped and the crawl is on hold.',
    'half the memory of the machine or its container, at least 256m and at most 4g',
  ),
  maxStoreLatency: setting(
    wholeNumber(0, 600_000, 'MS'),
    5000,
    'Hold the crawl while commits take longer than this on average, until they take half of it; 0: no limit.',
  ),
  storeConnections: setting(
    wholeNumber(2, 100),
    4,
    'Database connections per process for crawling; heartbeats, the API and the index use a few more.',
  ),
  browser: optional(
    text('FILE'),
    'Browser for rendering: Chromium, Chrome or a headless shell. If omitted, an installed one or the npm package @sparticuz/chromium.',
  ),
  threads: setting(
    wholeNumber(1, 64),
    Math.max(1, Math.min(8, availableParallelism() - 1)),
    'Maximum crawl threads. They start when a crawl has work for them: for one request at a time, one is enough.',
    'one less than the number of cores, at most 8',
  ),
  workerRate: optional(
    positiveNumber(1e6),
    'Maximum requests per second of this process, over all its crawls; --max-rate limits one crawl over all workers.',
  ),
  seenUrls: setting(
    wholeNumber(1000, 1e9),
    4_000_000,
    'URLs remembered in memory, to save lookups in the store; 12 bytes each, limited by --memory.',
  ),
  lease: setting(
    wholeNumber(1000, DAY_MS, 'MS'),
    30_000,
    'Requeue the URLs of a crawl thread that has not renewed its leases for this long.',
  ),
  pollMin: setting(
    wholeNumber(1, DAY_MS, 'MS'),
    100,
    'Shortest wait before a crawl thread that found no work looks again. Doubles up to --poll-max.',
  ),
  pollMax: setting(
    wholeNumber(1, DAY_MS, 'MS'),
    30_000,
    'Longest wait before a crawl thread looks for work again. New work wakes it at once.',
  ),
  stallTime: setting(
    wholeNumber(500, DAY_MS, 'MS'),
    10_000,
    'Replace a crawl thread that spends this much CPU time on one page without yielding.',
  ),
} as const

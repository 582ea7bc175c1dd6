// The memory budget of a process (--memory) and how it is divided: every cache and batch whose size we choose gets its
// share here and nowhere else. Most memory is not sized by us: code, the heaps of the threads, requests in flight;
// about 300 MB in a process with all roles. Heaps have no limits, because V8 kills a thread that reaches its limit,
// and sometimes the process. worker/holds/memory-hold.ts watches the total.

export interface MemoryBudget {
  /** Page cache of one connection to the store; a process with all roles has four. */
  storeCacheBytes: number
  /** Page caches of the connection that writes the search index, and of the connection that searches it. */
  indexCacheBytes: number
  searchCacheBytes: number
  /** Pages indexed in one transaction. */
  indexBatchBytes: number
  /**
   * Pages that the API read from the archive: users and programs come back to them within minutes. A hit on a page of
   * 50 kB saves 0.7 ms of CPU (2026-11), a PDF far more, and in a cluster the request to its archive node.
   */
  pageCacheBytes: number
  /** URLs remembered by a crawl, over all threads. */
  seenUrls: number
}

const MIB = 1024 ** 2
export const MIN_MEMORY = 256 * MIB
const MAX_DEFAULT_MEMORY = 4096 * MIB
const DEFAULT_SHARE = 1 / 2
const SEEN_URL_BYTES = 12
/** With less than half of its caches, a process gets slow and saves little. */
const MIN_SCALE = 1 / 2

/** The default for a machine or container with this much memory. */
export function defaultMemory(machineBytes: number): number {
  const share = Math.floor((machineBytes * DEFAULT_SHARE) / MIB) * MIB
  return Math.max(MIN_MEMORY, Math.min(MAX_DEFAULT_MEMORY, share))
}

/** Shares are given for a process with 4 GiB and scaled; `seenUrls` is an upper bound. */
export function divideMemory(settings: { memory: number; seenUrls: number }): MemoryBudget {
  const scale = Math.max(MIN_SCALE, settings.memory / MAX_DEFAULT_MEMORY)
  const share = (mib: number) => Math.floor(mib * MIB * scale)
  return {
    storeCacheBytes: share(8),
    indexCacheBytes: share(8),
    searchCacheBytes: share(8),
    indexBatchBytes: share(32),
    pageCacheBytes: share(16),
    seenUrls: Math.min(settings.seenUrls, Math.floor(share(64) / SEEN_URL_BYTES)),
  }
}

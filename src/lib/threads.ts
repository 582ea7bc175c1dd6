// Starts the threads of a process. The kind of a thread determines the size of its young generation and labels its heap
// in the metrics.

import { getPriority, setPriority } from 'node:os'
import { extname } from 'node:path'
import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import { Worker, type WorkerOptions } from 'node:worker_threads'

/**
 * Young generations in MB. Batches of service threads die young: with more space, V8 lets the heap grow several times
 * larger and gains nothing. Pages of crawl threads die young too, but with less space V8 keeps copying pages that are
 * about to die (docs/explanation/decisions.md). Two document readers on manuals: 410 MB RSS instead of 634, at the same
 * CPU (2026-11).
 */
const YOUNG_GENERATION_MB = {
  crawl: 24,
  store: 6,
  reader: 6,
  search: 6,
  indexer: 6,
  archive: 6,
  document: 12,
  render: 12,
  audit: 12,
} as const

/** Below 2 GiB, V8 lets a heap grow to twice the live size instead of four times. */
const MAX_OLD_GENERATION_MB = 2_000

export type ThreadKind = keyof typeof YOUNG_GENERATION_MB

export interface HeapSize {
  thread: ThreadKind | 'main'
  /** Total V8 heap of all threads of this kind. */
  bytes: number
}

const runningThreads = new Map<Worker, ThreadKind>()

/**
 * The heap flags of the launcher are meant for the main thread; V8 would otherwise use them instead of the limits of
 * threads.
 */
export function clearHeapFlags(): void {
  setFlagsFromString('--max-semi-space-size=0')
  setFlagsFromString('--max-old-space-size=0')
  setFlagsFromString('--max-heap-size=0')
}

/** In a container, at most half of its memory, so that V8 collects garbage before the container is killed. */
function oldGenerationMb(): number {
  const containerBytes = process.constrainedMemory()
  return containerBytes === 0 ? MAX_OLD_GENERATION_MB : Math.min(MAX_OLD_GENERATION_MB, containerBytes / 2 ** 21)
}

/** `file` ends in .ts; in the built package, its JavaScript is started. */
export function spawnThread(kind: ThreadKind, file: URL, options: WorkerOptions = {}): Worker {
  const built = new URL(file.href.replace(/\.ts$/, extname(import.meta.filename)))
  const resourceLimits = {
    maxYoungGenerationSizeMb: YOUNG_GENERATION_MB[kind],
    maxOldGenerationSizeMb: oldGenerationMb(),
    ...options.resourceLimits,
  }
  const worker = new Worker(built, { ...options, name: kind, resourceLimits })
  runningThreads.set(worker, kind)
  worker.once('exit', () => runningThreads.delete(worker))
  return worker
}

const LOWEST_PRIORITY = 19

/** Makes the calling thread nicer by this much. Only on Linux: elsewhere it would affect the whole process. */
export function lowerPriority(by: number): void {
  if (process.platform === 'linux') setPriority(Math.min(LOWEST_PRIORITY, getPriority() + by))
}

/** Covers this thread and the threads it has started. */
export async function readHeapSizes(): Promise<HeapSize[]> {
  const byKind = new Map<HeapSize['thread'], number>([['main', getHeapStatistics().total_heap_size]])
  const read = async ([worker, kind]: [Worker, ThreadKind]) => {
    const { total_heap_size: bytes } = await worker.getHeapStatistics()
    byKind.set(kind, (byKind.get(kind) ?? 0) + bytes)
  }
  // Fails for threads that have ended meanwhile.
  await Promise.allSettled([...runningThreads].map(read))
  return Array.from(byKind, ([thread, bytes]) => ({ thread, bytes }))
}

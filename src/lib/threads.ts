// Starts the threads of a process. Each has a kind, which decides how large its young generation is, and under which the
// figures tell of its heap.

import { getHeapStatistics } from 'node:v8'
import { Worker, type WorkerOptions } from 'node:worker_threads'

/**
 * Young generations in MB. Batches of a thread that owns something die young: with more room V8 lets the heap grow several
 * times larger, and gains nothing. Pages of crawl threads die young too, but with less room V8 keeps copying those that
 * are about to die (docs/explanation/decisions.md). Two document readers at work on manuals: 410 MB of RSS instead of
 * 634, with no more CPU (2026-11).
 */
const YOUNG_GENERATION_MB = { crawl: 24, store: 6, reader: 6, search: 6, indexer: 6, archive: 6, document: 12 } as const

export type ThreadKind = keyof typeof YOUNG_GENERATION_MB

export interface HeapSize {
  thread: ThreadKind | 'main'
  /** What V8 has taken for the objects of all threads of the kind. */
  bytes: number
}

const runningThreads = new Map<Worker, ThreadKind>()

export function spawnThread(kind: ThreadKind, file: URL, options: WorkerOptions = {}): Worker {
  const resourceLimits = { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB[kind], ...options.resourceLimits }
  const worker = new Worker(file, { ...options, name: kind, resourceLimits })
  runningThreads.set(worker, kind)
  worker.once('exit', () => runningThreads.delete(worker))
  return worker
}

/** Of this thread, and of those that it has started. */
export async function readHeapSizes(): Promise<HeapSize[]> {
  const byKind = new Map<HeapSize['thread'], number>([['main', getHeapStatistics().total_heap_size]])
  const read = async ([worker, kind]: [Worker, ThreadKind]) => {
    const { total_heap_size: bytes } = await worker.getHeapStatistics()
    byKind.set(kind, (byKind.get(kind) ?? 0) + bytes)
  }
  // One that has ended meanwhile has nothing to tell.
  await Promise.allSettled([...runningThreads].map(read))
  return Array.from(byKind, ([thread, bytes]) => ({ thread, bytes }))
}

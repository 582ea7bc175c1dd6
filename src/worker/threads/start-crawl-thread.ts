import type { Worker } from 'node:worker_threads'
import { AppError } from '../../lib/errors.ts'
import { spawnThread } from '../../lib/threads.ts'
import { newPulse } from '../watch/stall-watch.ts'

const failures = new WeakMap<Worker, unknown>()
const pulses = new WeakMap<Worker, SharedArrayBuffer>()

/** Of a thread that may have ended before anybody listened. */
export function exitErrorOf(thread: Worker): unknown {
  return failures.get(thread) ?? new AppError('INTERNAL', 'A crawl thread ended without a word.')
}

/** Shows that it turns its event loop. */
export function pulseOf(thread: Worker): SharedArrayBuffer {
  const pulse = pulses.get(thread)
  if (pulse === undefined) throw new AppError('INTERNAL', 'This is no crawl thread.')
  return pulse
}

/** A crawl thread, which loads its code and waits for its first crawl. It keeps nobody from ending. */
export function startCrawlThread(): Worker {
  const pulse = newPulse()
  const thread = spawnThread('crawl', new URL('./crawl-thread.ts', import.meta.url), { workerData: { pulse } })
  thread.on('error', (error) => failures.set(thread, error))
  thread.unref()
  pulses.set(thread, pulse)
  return thread
}

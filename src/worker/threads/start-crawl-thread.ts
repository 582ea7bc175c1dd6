// Starts crawl threads and remembers the pulse and the error of each.

import type { Worker } from 'node:worker_threads'
import { AppError } from '../../lib/errors.ts'
import { spawnThread } from '../../lib/threads.ts'
import { newPulse } from './stall-detector.ts'

const failures = new WeakMap<Worker, unknown>()
const pulses = new WeakMap<Worker, SharedArrayBuffer>()

/** Why a thread exited. Recorded here, because it may exit before anything else listens. */
export function exitErrorOf(thread: Worker): unknown {
  return failures.get(thread) ?? new AppError('INTERNAL', 'A crawl thread exited without an error.')
}

/** The pulse that StallDetector observes. */
export function pulseOf(thread: Worker): SharedArrayBuffer {
  const pulse = pulses.get(thread)
  if (pulse === undefined) throw new AppError('INTERNAL', 'Not a crawl thread.')
  return pulse
}

/** The thread loads its code and waits for its first crawl. It does not keep the process alive. */
export function startCrawlThread(): Worker {
  const pulse = newPulse()
  const thread = spawnThread('crawl', new URL('./crawl-thread.ts', import.meta.url), { workerData: { pulse } })
  thread.on('error', (error) => failures.set(thread, error))
  thread.unref()
  pulses.set(thread, pulse)
  return thread
}

import { Worker } from 'node:worker_threads'
import { AppError } from '../lib/errors.ts'

/** Pages die young: with less room for the young, V8 keeps copying those that are about to die. See docs/decisions.md. */
const LIMITS = { maxYoungGenerationSizeMb: 24 }

const failures = new WeakMap<Worker, unknown>()

/** Of a thread that may have ended before anybody listened. */
export function failureOf(thread: Worker): unknown {
  return failures.get(thread) ?? new AppError('INTERNAL', 'A crawl thread ended without a word.')
}

/** A crawl thread, which loads its code and waits for its first crawl. It keeps nobody from ending. */
export function startThread(): Worker {
  const thread = new Worker(new URL('./thread.ts', import.meta.url), { resourceLimits: LIMITS })
  thread.on('error', (error) => failures.set(thread, error))
  thread.unref()
  return thread
}

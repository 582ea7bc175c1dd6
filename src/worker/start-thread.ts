import { Worker } from 'node:worker_threads'

/** Pages die young: with less room for the young, V8 keeps copying those that are about to die. See docs/decisions.md. */
const LIMITS = { maxYoungGenerationSizeMb: 24 }

/** A crawl thread, which loads its code and waits for its first crawl. It keeps nobody from ending. */
export function startThread(): Worker {
  const thread = new Worker(new URL('./thread.ts', import.meta.url), { resourceLimits: LIMITS })
  // Whoever takes it hears of its end; an error before that must not end the program.
  thread.on('error', () => undefined)
  thread.unref()
  return thread
}

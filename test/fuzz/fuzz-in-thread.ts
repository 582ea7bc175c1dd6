// Runs a target in its own thread, so that an endless loop or exhausted memory ends only that thread.

import { Worker } from 'node:worker_threads'
import { type Finding, type FuzzPlan, type FuzzReport, makeInput } from './fuzz.ts'
import { findTarget } from './targets/targets.ts'

export interface FuzzThreadPlan extends Omit<FuzzPlan, 'starting'> {
  target: string
  /** The seed of the current run, and the number of runs started. */
  progress: Uint32Array
}

/** Longer than a run may take before its own timeout. */
const STUCK_MS = 60_000
const CHECK_MS = 1000
const MAX_HEAP_MB = 1024

export async function fuzzInThread(name: string, plan: Omit<FuzzPlan, 'starting'>): Promise<FuzzReport> {
  const progress = new Uint32Array(new SharedArrayBuffer(8))
  const workerData: FuzzThreadPlan = { ...plan, target: name, progress }
  const started = performance.now()
  const thread = new Worker(new URL('./thread.ts', import.meta.url), {
    workerData,
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
  })
  const { promise, resolve } = Promise.withResolvers<FuzzReport | string>()
  thread.once('message', resolve)
  thread.once('error', (error) => resolve(`the thread died: ${String(error)}`))
  thread.once('exit', () => resolve('the thread ended without a report'))
  const watchdogTimer = setInterval(makeWatchdog(progress, resolve), CHECK_MS)
  const outcome = await promise
  clearInterval(watchdogTimer)
  await thread.terminate()
  if (typeof outcome !== 'string') return outcome
  const [seed = 0, runs = 0] = progress
  // The seed suffices to generate the input again.
  const finding: Finding = { seed, message: outcome, input: makeInput(findTarget(name), seed) }
  const tookMs = performance.now() - started
  return {
    target: name,
    runs,
    tookMs,
    findings: [finding],
    slowest: { seed, ms: tookMs, bytes: finding.input.length },
    notes: [],
  }
}

function makeWatchdog(progress: Uint32Array, giveUp: (message: string) => void): () => void {
  let runs = 0
  let since = performance.now()
  return () => {
    const now = Atomics.load(progress, 1)
    if (now !== runs) {
      runs = now
      since = performance.now()
    } else if (performance.now() - since > STUCK_MS) giveUp(`hangs: no end after ${STUCK_MS} ms`)
  }
}

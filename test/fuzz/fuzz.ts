// Runs one target. Run n has the seed `firstSeed + n` and depends on nothing else, so any run can be replayed alone. An
// error that a check throws or lets escape, or a timeout, is a finding.

import { type SeededRandom, seededRandom } from '../../src/lib/seeded-random.ts'
import { threadCpuMs } from '../testing/cpu-time.ts'
import type { FuzzSession, FuzzTarget } from './fuzz-target.ts'
import { shrinkInput } from './shrink.ts'

export interface FuzzPlan {
  firstSeed: number
  maxRuns: number
  maxMs: number
  /** Called before each run, so that a watchdog knows where it hangs. */
  starting(seed: number): void
}

export interface Finding {
  seed: number
  message: string
  input: Uint8Array
}

export interface SlowestRun {
  seed: number
  ms: number
  bytes: number
}

export interface FuzzReport {
  target: string
  runs: number
  tookMs: number
  findings: Finding[]
  slowest: SlowestRun
  notes: string[]
}

/** At least a hundred times the time of the slowest target; in CPU time, so that a busy machine does not matter. */
const MAX_CPU_MS = 1000
const MAX_CPU_MS_PER_BYTE = 0.01
/** Limit of runs that wait for a network; none of them waits on purpose. */
const MAX_WAIT_MS = 30_000
/** A slower failure is not shrunk. */
const MAX_SHRUNK_MS = 500
const MAX_FINDINGS = 5

export async function fuzzTarget(fuzzTarget: FuzzTarget, fuzzPlan: FuzzPlan): Promise<FuzzReport> {
  const fuzzSession = await fuzzTarget.open()
  const underWay = new Map<number, Buffer>()
  const findings = new Map<string, Finding>()
  const fuzzReport: FuzzReport = {
    target: fuzzTarget.name,
    runs: 0,
    tookMs: 0,
    findings: [],
    slowest: NO_RUN,
    notes: [],
  }
  const started = performance.now()
  let next = fuzzPlan.firstSeed

  const isOver = () => {
    const isDone = next - fuzzPlan.firstSeed >= fuzzPlan.maxRuns || performance.now() - started > fuzzPlan.maxMs
    return isDone || findings.size >= MAX_FINDINGS
  }
  // With concurrent runs, it is unknown which one caused the error.
  const escaped = (error: unknown) => {
    for (const [seed, input] of underWay) {
      findings.set(`escaped ${seed}`, { seed, message: `escaped: ${textOf(error)}`, input })
    }
  }
  const lane = async () => {
    while (!isOver()) {
      const seed = next++ >>> 0
      const input = makeInput(fuzzTarget, seed)
      underWay.set(seed, input)
      fuzzPlan.starting(seed)
      const run = { bench: fuzzSession, seed, waits: fuzzTarget.concurrency > 1 }
      const { ms, error } = await runOnce(run, input)
      underWay.delete(seed)
      fuzzReport.runs += 1
      if (ms > fuzzReport.slowest.ms) fuzzReport.slowest = { seed, ms, bytes: input.length }
      if (error === null || findings.has(placeOf(error))) continue
      const least =
        fuzzTarget.shrinks && ms < MAX_SHRUNK_MS ? await shrinkInput(input, failsAtSamePlace(error, run)) : input
      findings.set(placeOf(error), { seed, message: textOf(error), input: least })
    }
  }

  process.on('uncaughtException', escaped)
  await Promise.all(Array.from({ length: fuzzTarget.concurrency }, lane))
  await fuzzSession.close()
  process.off('uncaughtException', escaped)
  return {
    ...fuzzReport,
    tookMs: performance.now() - started,
    findings: [...findings.values()],
    notes: fuzzSession.notes(),
  }
}

const NO_RUN: SlowestRun = { seed: 0, ms: 0, bytes: 0 }

export function makeInput(fuzzTarget: FuzzTarget, seed: number): Buffer {
  return fuzzTarget.write(seededRandom(seed))
}

/** Checks one given input. */
export async function tryInput(fuzzTarget: FuzzTarget, input: Buffer, seed: number): Promise<Finding | null> {
  const fuzzSession = await fuzzTarget.open()
  const { error } = await runOnce({ bench: fuzzSession, seed, waits: fuzzTarget.concurrency > 1 }, input)
  await fuzzSession.close()
  return error === null ? null : { seed, message: textOf(error), input }
}

interface Run {
  bench: FuzzSession
  seed: number
  /** Measured in wall time instead of CPU time. */
  waits: boolean
}

async function runOnce({ bench, seed, waits }: Run, input: Buffer): Promise<{ ms: number; error: unknown }> {
  // Not seeded with the seed that generated the input, so that a shrunk input is checked with the same random numbers.
  const random = seededRandom(~seed)
  const now = waits ? () => performance.now() : threadCpuMs
  const started = now()
  try {
    await (waits ? checkInTime(bench, input, random) : bench.check(input, random))
    const ms = now() - started
    if (!waits && ms > MAX_CPU_MS + input.length * MAX_CPU_MS_PER_BYTE) {
      throw new Error(`too slow: ${input.length} bytes took ${ms.toFixed(0)} ms`)
    }
    return { ms, error: null }
  } catch (error) {
    return { ms: now() - started, error }
  }
}

function failsAtSamePlace(error: unknown, run: Run): (smaller: Buffer) => Promise<boolean> {
  return async (smaller) => {
    const again = await runOnce(run, smaller)
    return again.error !== null && placeOf(again.error) === placeOf(error)
  }
}

async function checkInTime(fuzzSession: FuzzSession, input: Buffer, seededRandom: SeededRandom): Promise<void> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error(`hangs: no end after ${MAX_WAIT_MS} ms`)), MAX_WAIT_MS)
  try {
    await Promise.race([fuzzSession.check(input, seededRandom), promise])
  } finally {
    clearTimeout(timer)
  }
}

/** Findings with the same stack line count as one. */
function placeOf(error: unknown): string {
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return stack.split('\n').find((line) => line.startsWith('    at ')) ?? stack
}

function textOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

// Samples the memory of a process over time, and decides whether it stays flat.

import { readFileSync } from 'node:fs'

export interface MemorySample {
  atMs: number
  rssBytes: number
  /**
   * Memory allocated by the process. The rest of RSS is code and mapped files, which the system reclaims under memory
   * pressure.
   */
  anonymousBytes: number
}

export interface MemoryVerdict {
  afterWarmUpBytes: number
  maxBytes: number
  lastBytes: number
  /** Growth per hour, by linear regression over all samples after the warm-up. */
  bytesPerHour: number
  isFlat: boolean
}

/** Relative to the memory after the warm-up. */
const MAX_GROWTH = 0.2
const HOUR_MS = 3_600_000

export function sampleMemory(pid: number, atMs: number): MemorySample {
  const status = readFileSync(`/proc/${pid}/status`, 'latin1')
  const bytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0) * 1024
  return { atMs, rssBytes: bytes('VmRSS'), anonymousBytes: bytes('RssAnon') }
}

/** Null if there are no samples after the warm-up. */
export function assessMemory(samples: MemorySample[], warmUpMs: number): MemoryVerdict | null {
  const after = samples.filter(({ atMs }) => atMs >= warmUpMs)
  const [first, last] = [after[0], after.at(-1)]
  if (first === undefined || last === undefined) return null
  const maxBytes = Math.max(...after.map(({ rssBytes }) => rssBytes))
  return {
    afterWarmUpBytes: first.rssBytes,
    maxBytes,
    lastBytes: last.rssBytes,
    bytesPerHour: slopeOf(after) * HOUR_MS,
    isFlat: maxBytes <= first.rssBytes * (1 + MAX_GROWTH),
  }
}

/** Bytes per millisecond, by least squares. */
function slopeOf(samples: MemorySample[]): number {
  const meanMs = samples.reduce((sum, { atMs }) => sum + atMs, 0) / samples.length
  const meanBytes = samples.reduce((sum, { rssBytes }) => sum + rssBytes, 0) / samples.length
  let [covariance, variance] = [0, 0]
  for (const { atMs, rssBytes } of samples) {
    covariance += (atMs - meanMs) * (rssBytes - meanBytes)
    variance += (atMs - meanMs) ** 2
  }
  return variance === 0 ? 0 : covariance / variance
}

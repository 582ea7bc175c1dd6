// The most memory that a process has used, as Linux counts it.

import type { ChildProcess } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'

const SAMPLE_MS = 100

/** Watches until the process ends; the answer is in MiB, or null on a system that does not tell. */
export function watchPeakMemory(child: ChildProcess): () => number | null {
  const file = `/proc/${child.pid}/status`
  let peakKib = 0
  // The kernel keeps the maximum, so nothing is missed between samples but the last moment.
  const sample = () => {
    if (!existsSync(file)) return
    const found = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(file, 'latin1'))
    peakKib = Math.max(peakKib, Number(found?.[1] ?? 0))
  }
  const timer = setInterval(sample, SAMPLE_MS)
  child.once('exit', () => clearInterval(timer))
  return () => (peakKib === 0 ? null : peakKib / 1024)
}

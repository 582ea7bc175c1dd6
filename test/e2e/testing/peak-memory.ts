// Peak memory of a process, as counted by Linux.

import type { ChildProcess } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'

const SAMPLE_MS = 100

/** Watches until the process ends; the returned function gives MiB, or null if the system does not report it. */
export function watchPeakMemory(child: ChildProcess): () => number | null {
  const file = `/proc/${child.pid}/status`
  let peakKib = 0
  // The kernel keeps the maximum, so only a peak after the last sample is missed.
  const sample = () => {
    if (!existsSync(file)) return
    const found = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(file, 'latin1'))
    peakKib = Math.max(peakKib, Number(found?.[1] ?? 0))
  }
  const timer = setInterval(sample, SAMPLE_MS)
  child.once('exit', () => clearInterval(timer))
  return () => (peakKib === 0 ? null : peakKib / 1024)
}

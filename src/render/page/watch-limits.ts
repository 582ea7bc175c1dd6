// Checks the limits of a page that it cannot exceed by a single event: time, CPU, memory and the size of the DOM.

import { type Clock, repeat } from '../../lib/clock.ts'
import { readCpuMs, readUsage } from '../browser/process-usage.ts'
import type { PageRun } from './page-run.ts'

const CHECK_MS = 100
const MEGABYTE = 1 << 20

export interface LimitWatch {
  cpuMs(): number
  stop(): void
}

export function watchLimits(run: PageRun, clock: Clock): LimitWatch {
  const { limits, waitFor } = run.request.settings
  // A requested wait does not count towards the page's time.
  const timeMs = limits.timeMs + (waitFor !== null && 'ms' in waitFor ? waitFor.ms : 0)
  const { rendererPid } = run.page
  const startedAt = clock.now()
  const readCpu = () => (rendererPid === null ? 0 : (readCpuMs(rendererPid) ?? 0))
  const cpuAtStart = readCpu()
  let cpuMs = 0
  let lastAt = startedAt
  let busyMs = 0
  const check = () => {
    const now = clock.now()
    // While the page waits for an answer, time passes on the account of its server.
    if (run.openRequests === 0) busyMs += now - lastAt
    lastAt = now
    cpuMs = Math.max(cpuMs, readCpu() - cpuAtStart)
    const usage = rendererPid === null ? null : readUsage(rendererPid)
    if (usage !== null && usage.ownBytes > limits.memoryMb * MEGABYTE) {
      run.end('render_memory', `more than ${limits.memoryMb} MB`)
    } else if (cpuMs > limits.cpuMs) run.end('render_cpu', `more than ${limits.cpuMs} ms of CPU`)
    else if (busyMs > timeMs) run.end('render_timeout', `more than ${timeMs} ms`)
    else if (now - startedAt > limits.totalTimeMs)
      run.end('render_timeout', `more than ${limits.totalTimeMs} ms in total`)
  }
  const stop = repeat(clock, CHECK_MS, check)
  return {
    cpuMs: () => {
      cpuMs = Math.max(cpuMs, readCpu() - cpuAtStart)
      return cpuMs
    },
    stop,
  }
}

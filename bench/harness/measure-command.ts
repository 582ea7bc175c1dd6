// Runs a command and measures wall time, CPU time of all its processes and peak memory.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { readExitedChildrenCpuMs } from '../../test/testing/cpu-time.ts'
import { listProcessTree, readProc } from '../../test/testing/process-tree.ts'

export interface Command {
  file: string
  args: string[]
  cwd?: string
  env?: Record<string, string>
  timeoutMs: number
  /** Called with every line of stdout. */
  onLine?: (line: string, kill: () => void) => void
  /** Aborting kills the command and all its processes. */
  signal?: AbortSignal
}

export interface Measurement {
  exitCode: number | null
  wallMs: number
  /** User and system time of the process and all its children; null without /proc. */
  cpuMs: number | null
  /** Sum of the peak RSS of all its processes; null without /proc. */
  peakRssBytes: number | null
  lastLine: string
  errors: string
  isTimedOut: boolean
}

const SAMPLE_MS = 50

export async function measureCommand(command: Command): Promise<Measurement> {
  const cpuBefore = readExitedChildrenCpuMs()
  const start = performance.now()
  const child = spawn(command.file, command.args, {
    cwd: command.cwd,
    env: { ...process.env, NO_COLOR: '1', ...command.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const kill = () => killTree(child)
  process.once('exit', kill)
  command.signal?.addEventListener('abort', kill)
  const peaks = new Map<number, number>()
  const sampler = setInterval(() => samplePeaks(child.pid, peaks), SAMPLE_MS)
  let isTimedOut = false
  const timer = setTimeout(() => {
    isTimedOut = true
    kill()
  }, command.timeoutMs)
  try {
    const output = readOutput(child, (line) => command.onLine?.(line, kill))
    const [exitCode] = (await once(child, 'close')) as [number | null]
    const wallMs = performance.now() - start
    const cpuAfter = readExitedChildrenCpuMs()
    const cpuMs = cpuBefore === null || cpuAfter === null ? null : cpuAfter - cpuBefore
    const total = [...peaks.values()].reduce((sum, bytes) => sum + bytes, 0)
    return { exitCode, wallMs, cpuMs, peakRssBytes: total > 0 ? total : null, ...output, isTimedOut }
  } finally {
    clearInterval(sampler)
    clearTimeout(timer)
    process.off('exit', kill)
    command.signal?.removeEventListener('abort', kill)
  }
}

interface Output {
  lastLine: string
  errors: string
}

/** Updated while the child runs; complete once it has closed. */
function readOutput(child: ChildProcess, onLine: (line: string) => void): Output {
  const output = { lastLine: '', errors: '' }
  if (child.stdout === null || child.stderr === null) throw new Error('The child process has no output pipes.')
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (line !== '') output.lastLine = line
    onLine(line)
  })
  child.stderr.on('data', (chunk: Buffer) => {
    output.errors = (output.errors + chunk.toString()).slice(-4000)
  })
  return output
}

function samplePeaks(root: number | undefined, peaks: Map<number, number>): void {
  for (const pid of listProcessTree(root)) {
    const mark = /^VmHWM:\s+(\d+) kB/m.exec(readProc(`${pid}/status`) ?? '')?.[1]
    if (mark !== undefined) peaks.set(pid, Number(mark) * 1024)
  }
}

function killTree(child: ChildProcess): void {
  if (child.exitCode !== null || child.signalCode !== null) return
  for (const pid of listProcessTree(child.pid)) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch (error) {
      // The process may have exited since it was listed.
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
  }
}

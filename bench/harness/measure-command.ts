// Runs one command and tells what it cost: wall time, CPU time of all its processes, peak memory.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

export interface Command {
  file: string
  args: string[]
  cwd?: string
  env?: Record<string, string>
  timeoutMs: number
  /** Gets every line of stdout as it comes. */
  onLine?: (line: string, kill: () => void) => void
  /** Kills the command and all its processes. */
  signal?: AbortSignal
}

export interface Measurement {
  exitCode: number | null
  wallMs: number
  /** User and system time of the process and all its children; null where there is no /proc. */
  cpuMs: number | null
  /** Sum over its processes of each one's high-water mark; null where there is no /proc. */
  peakRssBytes: number | null
  lastLine: string
  errors: string
  isTimedOut: boolean
}

const SAMPLE_MS = 50
/** USER_HZ, in which /proc counts CPU time: 100 on every Linux that Node runs on. */
const TICKS_PER_MS = 0.1

export async function measureCommand(command: Command): Promise<Measurement> {
  const cpuBefore = readChildrenCpuMs()
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
    const cpuAfter = readChildrenCpuMs()
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

/** Filled while the child runs, complete when it has closed. */
function readOutput(child: ChildProcess, onLine: (line: string) => void): Output {
  const output = { lastLine: '', errors: '' }
  if (child.stdout === null || child.stderr === null) throw new Error('the child has no output pipes')
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (line !== '') output.lastLine = line
    onLine(line)
  })
  child.stderr.on('data', (chunk: Buffer) => {
    output.errors = (output.errors + chunk.toString()).slice(-4000)
  })
  return output
}

/** CPU time of every child that has ended and been waited for. The server lives on, so it is not in here. */
function readChildrenCpuMs(): number | null {
  const stat = readProc('self/stat')
  if (stat === null) return null
  // Field 2 is the name in parentheses and may hold spaces; cutime and cstime are fields 16 and 17.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[13]) + Number(fields[14])) / TICKS_PER_MS
}

/** Of a process that lives on and its descendants, those that have ended included. */
export function readTreeCpuMs(root: number | undefined): number | null {
  let ticks = 0
  for (const pid of treeOf(root)) {
    const stat = readProc(`${pid}/stat`)
    if (stat === null) continue
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    for (const field of [11, 12, 13, 14]) ticks += Number(fields[field])
  }
  return ticks === 0 ? null : ticks / TICKS_PER_MS
}

function samplePeaks(root: number | undefined, peaks: Map<number, number>): void {
  for (const pid of treeOf(root)) {
    const mark = /^VmHWM:\s+(\d+) kB/m.exec(readProc(`${pid}/status`) ?? '')?.[1]
    if (mark !== undefined) peaks.set(pid, Number(mark) * 1024)
  }
}

function killTree(child: ChildProcess): void {
  if (child.exitCode !== null || child.signalCode !== null) return
  for (const pid of treeOf(child.pid)) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch (error) {
      // It may have ended since it was listed.
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
  }
}

/** A process and its descendants; only itself where there is no /proc. */
function treeOf(root: number | undefined): number[] {
  if (root === undefined) return []
  const pids = [root]
  for (const pid of pids) {
    const children = readProc(`${pid}/task/${pid}/children`)
    if (children !== null) pids.push(...children.split(' ').filter(Boolean).map(Number))
  }
  return pids
}

function readProc(path: string): string | null {
  try {
    return readFileSync(`/proc/${path}`, 'latin1')
  } catch {
    return null
  }
}

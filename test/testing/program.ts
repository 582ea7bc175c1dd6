// Runs the real program as a child process, as a user would.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { launcherPath } from './launcher.ts'

export interface ProgramResult {
  code: number | null
  signal: NodeJS.Signals | null
  stdout: string
  stderr: string
}

export interface Program {
  child: ChildProcess
  ended: Promise<ProgramResult>
  /** Everything written to standard error so far. */
  stderrText(): string
  /** Resolves when standard output has a line that `test` accepts. Throws if the program exits without one. */
  waitForLine(test: (line: string) => boolean): Promise<void>
}

/** The environment without settings of the caller. The log format is text, as in a terminal. */
export function environmentWithoutSettings(): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([key]) => !key.startsWith('ORBWEAVER_'))
  return { ...Object.fromEntries(own), ORBWEAVER_LOG_FORMAT: 'text' }
}

export function startProgram(args: string[], options: { stdin?: string; env?: NodeJS.ProcessEnv } = {}): Program {
  const child = spawn(launcherPath, args, { env: { ...environmentWithoutSettings(), ...options.env } })
  // A test file that fails outside its tests runs no cleanup.
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  child.once('close', () => process.off('exit', kill))
  const output = { stdout: '', stderr: '' }
  child.stdout.on('data', (chunk) => {
    output.stdout += chunk
  })
  child.stderr.on('data', (chunk) => {
    output.stderr += chunk
  })
  child.stdin.end(options.stdin ?? '')
  const ended = once(child, 'close').then(([code, signal]) => ({ code, signal, ...output }))
  const waitForLine = async (test: (line: string) => boolean) => {
    while (!output.stdout.split('\n').some(test)) {
      const isOver = await Promise.race([once(child.stdout, 'data').then(() => false), ended.then(() => true)])
      if (isOver && !output.stdout.split('\n').some(test)) throw new Error(`The program exited: ${output.stderr}`)
    }
  }
  return { child, ended, stderrText: () => output.stderr, waitForLine }
}

/** Waits until standard error matches the pattern `times` times; returns the first group of the last match. */
export async function waitForOutput(program: Program, pattern: RegExp, times = 1): Promise<string> {
  const { child, ended, stderrText } = program
  for (;;) {
    const found = [...stderrText().matchAll(new RegExp(pattern, 'g'))][times - 1]
    if (found !== undefined) return found[1] ?? found[0]
    if (child.exitCode !== null) throw new Error(`The program exited without writing ${pattern}: ${stderrText()}`)
    if (child.stderr !== null) await Promise.race([once(child.stderr, 'data'), ended])
  }
}

/** Waits until a server prints its address. */
export async function readServerAddress(program: Program): Promise<string> {
  let address = ''
  await program.waitForLine((line) => {
    address ||= /http:\/\/127\.0\.0\.1:\d+/.exec(line)?.[0] ?? ''
    return address !== ''
  })
  return address
}

export function runProgram(
  args: string[],
  options: { stdin?: string; env?: NodeJS.ProcessEnv } = {},
): Promise<ProgramResult> {
  return startProgram(args, options).ended
}

export interface CrawlSummary {
  crawl_id: string
  status: string
  total: number
  completed: number
  states: Record<string, number>
  rejected: Record<string, number>
}

export function parseSummary(programResult: ProgramResult): CrawlSummary {
  const line = programResult.stdout.trim().split('\n').at(-1) ?? ''
  if (!line.startsWith('{'))
    throw new Error(`No summary (code ${programResult.code}): ${programResult.stdout}${programResult.stderr}`)
  return JSON.parse(line) as CrawlSummary
}

export interface ExportRow {
  id: number
  url: string
  content_type: string | null
  state: string
  reason: string | null
  depth: number
  http_status: number | null
  attempts: number
  redirect_to: string | null
  title: string | null
  content_hash: string | null
  kind: string
  canonical: string | null
  noindex: number
  lastmod: string | null
  changefreq: string | null
  sitemap_priority: number | null
  provenance: string | null
  proxy: string | null
}

/** A context that cleans up when it ends, such as a test. */
export interface CleanupContext {
  after(cleanUp: () => unknown): void
}

export function makeTemporaryFolder(t: CleanupContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'orbweaver-e2e-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/**
 * Flags for sites on loopback: no delays, and no robots.txt so that the server's log contains only pages. Trap
 * detection is off because generated pages have almost no text, so it would rightly exclude some.
 */
export const FAST_FLAGS = [
  '--allow-private',
  '--ignore-robots',
  '--per-host',
  '8',
  '--delay',
  '0',
  '--retry-delay',
  '20',
  '--cooldown',
  '0',
  '--per-ip',
  '64',
  '--no-traps',
  '--json',
]

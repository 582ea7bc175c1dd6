// Runs a crawl with the launcher, as a user would, and reads its summary.

import { existsSync, writeFileSync } from 'node:fs'
import { launcherPath } from '../../test/testing/launcher.ts'
import type { Workspace } from '../../test/testing/workspace.ts'
import { type Measurement, measureCommand } from './measure-command.ts'

/** The fields of a `--json` event that the benchmarks use. */
export interface CrawlEvent {
  type: string
  total: number
  completed: number
  states: Record<string, number>
  elapsed_ms: number
  pages_per_second: number
}

export interface BenchCrawlResult {
  measurement: Measurement
  summary: CrawlEvent
}

export const SPEED_FLAGS = ['--per-host', '32', '--concurrency', '64', '--delay', '0']
/** Generated pages contain little new text, so trap detection would rightly exclude some of them. */
const FIXTURE_FLAGS = ['--ignore-robots', '--allow-private', '--no-traps', '--json']
/** The other crawlers do not store pages either; wget2 writes them to a memory disk. */
export const NO_ARCHIVE = ['--archive', 'none']

export function crawlArguments(seeds: string[], workspace: Workspace, flags: string[] = NO_ARCHIVE): string[] {
  const data = workspace.folder('data')
  const [only] = seeds
  if (seeds.length === 1 && only !== undefined) {
    return ['crawl', only, '--data', data, ...SPEED_FLAGS, ...FIXTURE_FLAGS, ...flags]
  }
  const file = workspace.file('seeds.txt')
  writeFileSync(file, `${seeds.join('\n')}\n`)
  return ['crawl', '--seeds', file, '--data', data, ...SPEED_FLAGS, ...FIXTURE_FLAGS, ...flags]
}

export interface BenchCrawlOptions {
  seeds: string[]
  timeoutMs: number
  flags?: string[]
}

export async function runBenchCrawl(
  { seeds, timeoutMs, flags }: BenchCrawlOptions,
  workspace: Workspace,
): Promise<BenchCrawlResult> {
  if (!existsSync(launcherPath)) throw new Error(`The launcher ${launcherPath} is missing.`)
  const measurement = await measureCommand({
    file: launcherPath,
    args: crawlArguments(seeds, workspace, flags),
    timeoutMs,
  })
  if (measurement.isTimedOut) throw new Error(`orbweaver did not finish within ${timeoutMs / 1000} s.`)
  const summary = parseEvent(measurement.lastLine)
  if (measurement.exitCode !== 0 || summary?.type !== 'summary') {
    throw new Error(`orbweaver exited with code ${measurement.exitCode}: ${measurement.errors || measurement.lastLine}`)
  }
  return { measurement, summary }
}

export function parseEvent(line: string): CrawlEvent | null {
  if (!line.startsWith('{')) return null
  try {
    return JSON.parse(line) as CrawlEvent
  } catch {
    // A killed process may leave an incomplete line.
    return null
  }
}

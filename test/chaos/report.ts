// Prints the report of `npm run chaos`.

import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { median } from '../testing/statistics.ts'
import { FAULTS } from './faults.ts'
import type { ChaosResult } from './run-chaos.ts'

/** Limits for detecting a killed worker and for reclaiming its URLs. */
const MAX_DETECTION_MS = 30_000
const MAX_RECLAIM_MS = 120_000

const WIDTHS = [10, 6, 14, 18, 20, 8]
const SHOWN = 10

export function printReport(result: ChaosResult): void {
  console.log(`\n${rowOf(['fault', 'times', 'seen as lost', 'URLs reclaimed', 'rate for 10 s after', 'repaired'])}`)
  for (const [fault, faults] of Map.groupBy(result.faults, (injectedFault) => injectedFault.fault)) {
    const lost = faults.flatMap(({ detectedMs }) => (detectedMs === null ? [] : [detectedMs]))
    const reclaimed = faults.flatMap(({ reclaimedMs }) => (reclaimedMs === null ? [] : [reclaimedMs]))
    const rates = faults.map(({ rateDrop }) => 100 * (1 - rateDrop))
    const durations = faults.map(({ at, repairedAt }) => repairedAt - at)
    const times = [span(lost), span(reclaimed), `${Math.round(median(rates))}%`, seconds(median(durations))]
    console.log(rowOf([fault, String(faults.length), ...times]))
  }
  console.log('(durations: median and maximum)\n')
  for (const [name, value] of figuresOf(result)) console.log(`${name.padEnd(38)}${value}`)
  if (!result.hasSmallDisk) console.log('\nThe full-disk fault was skipped: mounting a small disk needs root.')
  const problems = [...listProblems(result), ...listSlowRecoveries(result)]
  for (const problem of problems.slice(0, SHOWN)) console.log(`\n${problem}`)
  if (problems.length > 0) console.log(`\nThe logs of the workers are in ${saveLogs(result)}`)
}

function saveLogs({ logs, faults }: ChaosResult): string {
  const folder = mkdtempSync(join(tmpdir(), 'orbweaver-chaos-logs-'))
  for (const [name, text] of logs) writeFileSync(join(folder, `${name}.log`), text)
  writeFileSync(join(folder, 'faults.json'), JSON.stringify(faults, null, 2))
  return folder
}

function figuresOf(result: ChaosResult): [name: string, value: string][] {
  const sum = (of: (crawl: ChaosResult['crawls'][number]) => number) =>
    format(result.crawls.reduce((total, crawl) => total + of(crawl), 0))
  return [
    ['URLs', sum(({ urls }) => urls)],
    ['URLs lost', sum(({ lost }) => lost)],
    ['differences from the oracle', sum(({ problems }) => problems.length)],
    ['requests', `${format(result.requests)}, ${format(result.requestsPerSecond)} a second`],
    ['seconds with requests', `${(100 * result.availability).toFixed(1)}%`],
    ['URLs of lost workers reclaimed', reclaimedOf(result)],
    ['requests repeated', sum(({ repeated }) => repeated)],
    ['of those, under a lease renewed late', sum(({ underLateLeases }) => underLateLeases)],
    ['of those, not due to a fault', sum(({ unexplained }) => unexplained.length)],
    ['late reports rejected', format(result.lateReports)],
    ['politeness violations', format(result.violations.length)],
    ['archive problems', format(result.archiveProblems.length)],
    ['unexpected exits', format(result.unexpectedExits.length)],
  ]
}

function reclaimedOf({ faults }: ChaosResult): string {
  const held = faults.filter((one) => FAULTS[one.fault].isLong && one.held > 0)
  const total = held.reduce((sum, one) => sum + one.held, 0)
  const reclaimed = held.reduce((sum, one) => sum + (one.reclaimedMs === null ? 0 : one.held), 0)
  return total === 0 ? '-' : `${format(reclaimed)} of ${format(total)}`
}

/** Everything that is wrong, in sentences. */
export function listProblems(result: ChaosResult): string[] {
  return [
    ...result.crawls.flatMap(({ problems }) => problems),
    ...result.crawls.flatMap(({ unexplained }) => unexplained),
    ...result.violations,
    ...result.archiveProblems,
    ...result.unexpectedExits,
  ]
}

/** Kills that were detected or recovered from too late. On a very slow machine this is not a defect of the program. */
export function listSlowRecoveries({ faults }: ChaosResult): string[] {
  return faults
    .filter(({ fault }) => fault === 'kill')
    .flatMap(({ worker, held, detectedMs, reclaimedMs }) => [
      ...(detectedMs === null || detectedMs > MAX_DETECTION_MS
        ? [`${worker} was killed and seen as lost ${after(detectedMs)}.`]
        : []),
      ...(held > 0 && (reclaimedMs === null || reclaimedMs > MAX_RECLAIM_MS)
        ? [`${worker} was killed and its URLs were reclaimed ${after(reclaimedMs)}.`]
        : []),
    ])
}

function after(ms: number | null): string {
  return ms === null ? 'never' : `after ${seconds(ms)}`
}

function span(times: number[]): string {
  return times.length === 0 ? '-' : `${seconds(median(times))}, ${seconds(Math.max(...times))}`
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`
}

function rowOf(cells: string[]): string {
  return cells.map((cell, i) => (i === 0 ? cell.padEnd(WIDTHS[i] ?? 0) : cell.padStart(WIDTHS[i] ?? 0))).join('  ')
}

function format(value: number): string {
  return Math.round(value).toLocaleString('en-US')
}

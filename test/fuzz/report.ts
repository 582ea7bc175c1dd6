// Prints the results of `npm run fuzz` and saves failing inputs.

import { mkdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Finding, FuzzReport } from './fuzz.ts'

const FOLDER = join(tmpdir(), 'orbweaver-fuzz')
const WIDTHS = [8, 10, 8, 9]

export function printHeading(): void {
  console.log(`${rowOf(['target', 'runs', 'runs/s', 'findings'])}  slowest run`)
}

export function printReport(fuzzReport: FuzzReport): void {
  const { target, runs, tookMs, findings, slowest, notes } = fuzzReport
  const cells = [target, format(runs), format((runs / tookMs) * 1000), format(findings.length)]
  console.log(`${rowOf(cells)}  ${slowest.ms.toFixed(1)} ms for ${format(slowest.bytes)} bytes, seed ${slowest.seed}`)
  for (const note of notes) console.log(`    ${note}`)
  for (const finding of findings) printFinding(target, finding)
}

export function printFinding(target: string, finding: Finding): void {
  const { seed, message, input } = finding
  const path = save(target, finding)
  console.log(`\n${target}, seed ${seed}: ${message}`)
  console.log(`input (${format(input.length)} bytes) in ${path}`)
  console.log(`replay: npm run fuzz -- --target ${target} --seed ${seed} --runs 1`)
  console.log(`or:     npm run fuzz -- --target ${target} --seed ${seed} --input ${path}\n`)
}

function save(target: string, { seed, input }: Finding): string {
  mkdirSync(FOLDER, { recursive: true })
  const path = join(FOLDER, `${target}-${seed}`)
  writeFileSync(path, input)
  return path
}

function rowOf(cells: string[]): string {
  return cells.map((cell, i) => (i === 0 ? cell.padEnd(WIDTHS[i] ?? 0) : cell.padStart(WIDTHS[i] ?? 0))).join('  ')
}

function format(value: number): string {
  return Math.round(value).toLocaleString('en-US')
}

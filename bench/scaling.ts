// Calculates CPU time, rows, bytes and, with prices, money for large crawls from figures for one page.
//   node bench/scaling.ts                                         prints the tables of docs/explanation/scaling.md
//   node bench/scaling.ts --write                                 writes them into docs/explanation/scaling.md
//   node bench/scaling.ts --vcpu-hour 0.05 --gb-month 0.1         with the prices of your provider
//   node bench/scaling.ts --figures mine.json --days 7 --urls 5   other figures, 7 days, 5 known URLs per page
// The figures are in bench/scaling.json. A figure that has not been measured is null, and results that depend on it
// stay empty.

import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { formatCount } from '../test/testing/table.ts'

/** Figures per visited page. */
interface PageFigures {
  /** CPU time of the crawling processes; with the embedded store this includes its thread. */
  workerCpuMs: number | null
  /** CPU time of the database server. */
  storeCpuMs: number | null
  rows: number | null
  storeBytes: number | null
  /** Bytes of a URL that is queued but not visited. */
  knownUrlBytes: number | null
  archiveBytes: number | null
}

interface ScalingOptions {
  days: number
  /** URLs in the ledger per visited page. */
  urls: number
  /** Target utilisation of the cores. */
  busy: number
  vcpuHour: number | null
  gbMonth: number | null
}

const NOT_MEASURED = 'not measured'
const SIZES = [1e6, 1e7, 1e8, 1e9]
const SIZE_NAMES = ['1 million', '10 million', '100 million', '1 billion']
const DOC = fileURLToPath(new URL('../docs/explanation/scaling.md', import.meta.url))
const TABLE_MARKERS = /(<!-- figures -->\n)[\s\S]*?(\n<!-- end of figures -->)/

function main(): void {
  const options = {
    figures: { type: 'string' as const, default: fileURLToPath(new URL('./scaling.json', import.meta.url)) },
    days: { type: 'string' as const, default: '30' },
    urls: { type: 'string' as const, default: '1' },
    busy: { type: 'string' as const, default: '0.6' },
    'vcpu-hour': { type: 'string' as const },
    'gb-month': { type: 'string' as const },
    write: { type: 'boolean' as const, default: false },
  }
  const { values } = parseArgs({ options })
  const stores = JSON.parse(readFileSync(values.figures, 'utf8')) as Record<string, PageFigures>
  const scalingOptions: ScalingOptions = {
    days: positive('days', values.days),
    urls: positive('urls', values.urls),
    busy: positive('busy', values.busy),
    vcpuHour: values['vcpu-hour'] === undefined ? null : positive('vcpu-hour', values['vcpu-hour']),
    gbMonth: values['gb-month'] === undefined ? null : positive('gb-month', values['gb-month']),
  }
  const text = Object.entries(stores)
    .map(([name, figures]) => `${name}:\n\n${tableOf(figures, scalingOptions)}`)
    .join('\n\n')
  if (values.write) write(text)
  else console.log(text)
}

function write(text: string): void {
  const page = readFileSync(DOC, 'utf8')
  if (!TABLE_MARKERS.test(page)) throw new Error(`${DOC} has no markers for the tables.`)
  writeFileSync(DOC, page.replace(TABLE_MARKERS, `$1\n${text}\n$2`))
}

function positive(name: string, text: string): number {
  const value = Number(text)
  if (!(value > 0)) throw new Error(`--${name} must be a number above 0, not "${text}".`)
  return value
}

function tableOf(pageFigures: PageFigures, scalingOptions: ScalingOptions): string {
  const cell = (value: number | null) => (value === null ? NOT_MEASURED : formatAmount(value))
  const row = (label: string, valueFor: (pages: number) => number | null) =>
    `| ${label} | ${SIZES.map((pages) => cell(valueFor(pages))).join(' | ')} |`
  const lines = [
    `| pages | ${SIZE_NAMES.join(' | ')} |`,
    `| --- |${' ---: |'.repeat(SIZES.length)}`,
    row(`pages a second, in ${scalingOptions.days} days`, (pages) => pages / (scalingOptions.days * 86_400)),
    row('core hours, workers', (pages) => coreHours(pages, pageFigures.workerCpuMs)),
    row('core hours, store', (pages) => coreHours(pages, pageFigures.storeCpuMs)),
    row(`cores, ${Math.round(scalingOptions.busy * 100)}% busy`, (pages) =>
      coresFor(pages, pageFigures, scalingOptions),
    ),
    row('rows, millions', (pages) => times(pageFigures.rows, pages / 1e6)),
    row('store, GB', (pages) => storeGb(pages, pageFigures, scalingOptions)),
    row('archive, GB', (pages) => times(pageFigures.archiveBytes, pages / 1e9)),
  ]
  const { vcpuHour, gbMonth } = scalingOptions
  if (vcpuHour !== null) lines.push(row('price of the CPU', (pages) => times(totalHours(pages, pageFigures), vcpuHour)))
  if (gbMonth !== null)
    lines.push(row('price of the disk a month', (pages) => times(diskGb(pages, pageFigures, scalingOptions), gbMonth)))
  return lines.join('\n')
}

function coreHours(pages: number, cpuMs: number | null): number | null {
  return times(cpuMs, pages / 3.6e6)
}

function totalHours(pages: number, { workerCpuMs, storeCpuMs }: PageFigures): number | null {
  return coreHours(pages, plus(workerCpuMs, storeCpuMs))
}

function coresFor(pages: number, pageFigures: PageFigures, { days, busy }: ScalingOptions): number | null {
  return times(totalHours(pages, pageFigures), 1 / (days * 24 * busy))
}

function storeGb(pages: number, { storeBytes, knownUrlBytes }: PageFigures, { urls }: ScalingOptions): number | null {
  const known = urls === 1 ? 0 : times(knownUrlBytes, urls - 1)
  return times(plus(storeBytes, known), pages / 1e9)
}

function diskGb(pages: number, pageFigures: PageFigures, scalingOptions: ScalingOptions): number | null {
  return plus(storeGb(pages, pageFigures, scalingOptions), times(pageFigures.archiveBytes, pages / 1e9))
}

function times(value: number | null, factor: number): number | null {
  return value === null ? null : value * factor
}

function plus(a: number | null, b: number | null): number | null {
  return a === null || b === null ? null : a + b
}

function formatAmount(value: number): string {
  return value >= 10 || value === 0 ? formatCount(value) : value.toPrecision(2)
}

try {
  main()
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
}

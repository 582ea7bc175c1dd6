// The busiest and the slowest hosts, side by side where the width allows it, below each other where not.

import { type Line, type Span, span } from './line.ts'
import type { HostSnapshot } from './snapshot.ts'
import { count, displayWidth, truncate } from './units.ts'

const MOST_ROWS = 5
const GAP = 4
const NUMBER_WIDTH = 11
const SIDE_BY_SIDE_WIDTH = 74

interface Column {
  name: string
  text: (host: HostSnapshot) => string
}

const REQUESTS: Column = { name: 'requests', text: (host) => count(host.requests, NUMBER_WIDTH - 2) }
const RESPONSE: Column = {
  name: 'response',
  text: (host) => `${count(Math.round(host.responseMs), NUMBER_WIDTH - 5)} ms`,
}

interface Table {
  title: string
  hosts: HostSnapshot[]
  columns: Column[]
}

export interface HostSpace {
  width: number
  /** Lines to use at most. */
  height: number
  text: (foreign: string) => string
  ellipsis: string
}

export function hostTables(hosts: readonly HostSnapshot[], space: HostSpace): Line[] {
  if (hosts.length === 0 || space.height < 2) return []
  if (hosts.length === 1) {
    return tableLines({ title: 'host', hosts: [...hosts], columns: [REQUESTS, RESPONSE] }, space, 1)
  }
  const busiest = { title: 'busiest hosts', hosts: top(hosts, (h) => h.requests), columns: [REQUESTS, RESPONSE] }
  const slowest = { title: 'slowest hosts', hosts: top(hosts, (h) => h.responseMs), columns: [RESPONSE, REQUESTS] }
  return space.width >= SIDE_BY_SIDE_WIDTH ? sideBySide(busiest, slowest, space) : stacked(busiest, slowest, space)
}

function top(hosts: readonly HostSnapshot[], measure: (host: HostSnapshot) => number): HostSnapshot[] {
  const byMeasure = (a: HostSnapshot, b: HostSnapshot) => measure(b) - measure(a) || (a.host < b.host ? -1 : 1)
  return hosts.filter((host) => measure(host) > 0).sort(byMeasure)
}

function sideBySide(left: Table, right: Table, space: HostSpace): Line[] {
  const width = Math.floor((space.width - GAP) / 2)
  const rows = Math.min(MOST_ROWS, space.height - 1)
  const leftLines = tableLines(left, { ...space, width }, rows)
  const rightLines = tableLines(right, { ...space, width }, rows)
  const blank: Line = [span(' '.repeat(width))]
  return Array.from({ length: Math.max(leftLines.length, rightLines.length) }, (_, row) => [
    ...(leftLines[row] ?? blank),
    span(' '.repeat(GAP)),
    ...(rightLines[row] ?? []),
  ])
}

function stacked(upper: Table, lower: Table, space: HostSpace): Line[] {
  const rows = Math.min(3, Math.floor(space.height / 2) - 1)
  if (rows < 1) return tableLines(upper, space, Math.min(MOST_ROWS, space.height - 1))
  const above = tableLines(upper, space, rows)
  const below = tableLines(lower, space, rows)
  return above.length + below.length < space.height ? [...above, [], ...below] : [...above, ...below]
}

function tableLines(table: Table, space: HostSpace, rows: number): Line[] {
  const columns = table.columns.slice(0, space.width >= 40 ? 2 : 1)
  const nameWidth = Math.max(1, space.width - columns.length * NUMBER_WIDTH)
  const header = table.title + ' '.repeat(Math.max(0, nameWidth - table.title.length))
  return [
    [span(header + columns.map((column) => column.name.padStart(NUMBER_WIDTH)).join(''), 'dim')],
    ...table.hosts.slice(0, rows).map((host): Span[] => {
      const name = truncate(space.text(host.host), nameWidth, space.ellipsis)
      const numbers = columns.map((column) => column.text(host).padStart(NUMBER_WIDTH)).join('')
      return [span(name + ' '.repeat(nameWidth - displayWidth(name)) + numbers)]
    }),
  ]
}

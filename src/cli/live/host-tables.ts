// Tables of the busiest and the slowest hosts, side by side if the frame is wide enough.

import { compactCount, displayWidth, truncate } from '../format/units.ts'
import type { HostSnapshot } from './crawl-snapshot.ts'
import { type Line, type Span, span } from './styled-line.ts'

const MAX_ROWS = 5
const GAP = 4
const NUMBER_WIDTH = 11
const SIDE_BY_SIDE_WIDTH = 74

interface HostColumn {
  name: string
  text: (host: HostSnapshot) => string
}

const REQUESTS: HostColumn = { name: 'requests', text: (host) => compactCount(host.requests, NUMBER_WIDTH - 2) }
const RESPONSE: HostColumn = {
  name: 'response',
  text: (host) => `${compactCount(Math.round(host.responseMs), NUMBER_WIDTH - 5)} ms`,
}

interface HostTable {
  title: string
  hosts: HostSnapshot[]
  columns: HostColumn[]
}

export interface TableSpace {
  width: number
  /** Maximum number of lines. */
  height: number
  sanitize: (text: string) => string
  ellipsis: string
}

export function hostTables(hosts: readonly HostSnapshot[], space: TableSpace): Line[] {
  if (hosts.length === 0 || space.height < 2) return []
  if (hosts.length === 1) {
    return hostTableLines({ title: 'host', hosts: [...hosts], columns: [REQUESTS, RESPONSE] }, space, 1)
  }
  const busiest = { title: 'busiest hosts', hosts: rankHosts(hosts, (h) => h.requests), columns: [REQUESTS, RESPONSE] }
  const slowest = {
    title: 'slowest hosts',
    hosts: rankHosts(hosts, (h) => h.responseMs),
    columns: [RESPONSE, REQUESTS],
  }
  return space.width >= SIDE_BY_SIDE_WIDTH ? sideBySide(busiest, slowest, space) : stacked(busiest, slowest, space)
}

function rankHosts(hosts: readonly HostSnapshot[], measure: (host: HostSnapshot) => number): HostSnapshot[] {
  const byMeasure = (a: HostSnapshot, b: HostSnapshot) => measure(b) - measure(a) || (a.host < b.host ? -1 : 1)
  return hosts.filter((host) => measure(host) > 0).sort(byMeasure)
}

function sideBySide(left: HostTable, right: HostTable, space: TableSpace): Line[] {
  const width = Math.floor((space.width - GAP) / 2)
  const rows = Math.min(MAX_ROWS, space.height - 1)
  const leftLines = hostTableLines(left, { ...space, width }, rows)
  const rightLines = hostTableLines(right, { ...space, width }, rows)
  const blank: Line = [span(' '.repeat(width))]
  return Array.from({ length: Math.max(leftLines.length, rightLines.length) }, (_, row) => [
    ...(leftLines[row] ?? blank),
    span(' '.repeat(GAP)),
    ...(rightLines[row] ?? []),
  ])
}

function stacked(upper: HostTable, lower: HostTable, space: TableSpace): Line[] {
  const rows = Math.min(3, Math.floor(space.height / 2) - 1)
  if (rows < 1) return hostTableLines(upper, space, Math.min(MAX_ROWS, space.height - 1))
  const above = hostTableLines(upper, space, rows)
  const below = hostTableLines(lower, space, rows)
  return above.length + below.length < space.height ? [...above, [], ...below] : [...above, ...below]
}

function hostTableLines(hostTable: HostTable, space: TableSpace, rows: number): Line[] {
  const columns = hostTable.columns.slice(0, space.width >= 40 ? 2 : 1)
  const nameWidth = Math.max(1, space.width - columns.length * NUMBER_WIDTH)
  const header = hostTable.title + ' '.repeat(Math.max(0, nameWidth - hostTable.title.length))
  return [
    [span(header + columns.map((hostColumn) => hostColumn.name.padStart(NUMBER_WIDTH)).join(''), 'dim')],
    ...hostTable.hosts.slice(0, rows).map((host): Span[] => {
      const name = truncate(space.sanitize(host.host), nameWidth, space.ellipsis)
      const numbers = columns.map((hostColumn) => hostColumn.text(host).padStart(NUMBER_WIDTH)).join('')
      return [span(name + ' '.repeat(nameWidth - displayWidth(name)) + numbers)]
    }),
  ]
}

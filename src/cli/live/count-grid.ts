// The grid of counts, grouped in columns. Zero counts are shown too, so that nothing moves when a count changes.

import { pageCount, type UrlState } from '../../lib/states.ts'
import { compactCount, formatBytes } from '../format/units.ts'
import type { CrawlSnapshot } from './crawl-snapshot.ts'
import { STATE_STYLES, stateLabel } from './state-styles.ts'
import { type Line, type Span, type Style, span } from './styled-line.ts'

type Cell = { label: string; text: (room: number) => string; style: Style }

export function countGrid(snapshot: CrawlSnapshot, width: number): Line[] {
  const columns = gridColumns(snapshot, width)
  const gap = width >= 88 ? 4 : 2
  const cellWidth = Math.max(0, Math.floor((width - gap * (columns.length - 1)) / columns.length))
  const height = Math.max(...columns.map((column) => column.length))
  return Array.from({ length: height }, (_, row) => {
    const spans: Span[] = []
    for (const column of columns) {
      const cell = column[row]
      if (spans.length > 0) spans.push(span(' '.repeat(gap)))
      spans.push(...(cell === undefined ? [span(' '.repeat(cellWidth))] : cellSpans(cell, cellWidth)))
    }
    return spans
  })
}

function gridColumns(snapshot: CrawlSnapshot, width: number): Cell[][] {
  const state = (name: UrlState) => countCell(stateLabel(name), snapshot.ledger[name], STATE_STYLES[name])
  const open = [state('queued'), state('in_progress'), countCell('in flight', snapshot.inFlight, 'plain')]
  const visited = countCell(stateLabel('visited'), pageCount(snapshot), STATE_STYLES.visited)
  const sitemaps = countCell('sitemaps', snapshot.sitemaps, STATE_STYLES.visited)
  const requisites = countCell('requisites', snapshot.requisites, STATE_STYLES.visited)
  const others = snapshot.requisites > 0 ? [sitemaps, requisites] : [sitemaps]
  const good = [visited, ...others, state('redirected'), state('excluded')]
  const bad = [state('forbidden'), state('not_found'), state('http_error')]
  const failed = state('failed')
  const rejected = countCell('rejected', rejectedTotal(snapshot.rejected), 'plain')
  const received: Cell = {
    label: 'received',
    text: () => formatBytes(snapshot.bytes),
    style: styleFor(snapshot.bytes, 'plain'),
  }
  if (width >= 78) return [open, good, bad, [failed, rejected, received]]
  if (width >= 58) return [[...open, received, rejected], good, [...bad, failed]]
  return [
    [...open, ...good],
    [...bad, failed, rejected, received],
  ]
}

function countCell(label: string, value: number, style: Style): Cell {
  return { label, text: (room) => compactCount(value, room), style: styleFor(value, style) }
}

function styleFor(value: number, style: Style): Style {
  return value > 0 ? style : 'dim'
}

function cellSpans(cell: Cell, width: number): Span[] {
  const text = cell.text(width - cell.label.length - 1)
  const gap = Math.max(1, width - cell.label.length - text.length)
  return [span(cell.label + ' '.repeat(gap), 'dim'), span(text, cell.style)]
}

function rejectedTotal(rejected: Record<string, number>): number {
  return Object.values(rejected).reduce((sum, links) => sum + links, 0)
}

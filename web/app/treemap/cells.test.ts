import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Cell, type Folders, layOutCells } from './cells.ts'
import { nextCell } from './next-cell.ts'
import { stateShades, timeShade } from './shades.ts'
import { cellName, cellTitle } from './texts.ts'

const folder = (label: string, urls: number, bytes: number, children: Folders['folders'][number]['children'] = []) => ({
  label,
  name: label.split('/').at(-1) ?? '',
  urls,
  bytes,
  mean_fetch_ms: 120,
  states: { visited: urls - 1, not_found: 1 },
  left_out: 0,
  folders: children.length,
  children,
})

const LEVEL: Folders = {
  crawl_id: 'c',
  label: 'a.test',
  urls: 100,
  bytes: 9000,
  folders: [folder('a.test/docs', 60, 1000, [folder('a.test/docs/x', 30, 500)]), folder('a.test/blog', 20, 6000)],
  total_folders: 2,
  own_urls: [{ url_id: 7, url: 'http://a.test/p', state: 'visited', left_out: 0, bytes: 400, fetch_ms: null }],
  total_own_urls: 20,
  is_complete: true,
}
const SIZE = { width: 800, height: 500 }
const areaOf = (cells: Cell[], key: string) => {
  const cell = cells.find((each) => each.key === key)
  return (cell?.width ?? 0) * (cell?.height ?? 0)
}

test('areas are in proportion to URLs or bytes, and what is not in the response has its place', () => {
  const byUrls = layOutCells(LEVEL, 'urls', SIZE)
  assert.deepEqual(byUrls.map(({ key }) => key).sort(), ['7', 'a.test/blog', 'a.test/docs', 'a.test/docs/x', 'rest'])
  const share = areaOf(byUrls, 'a.test/docs') / areaOf(byUrls, 'a.test/blog')
  assert.ok(Math.abs(share - 3) < 0.2, String(share))
  const byBytes = layOutCells(LEVEL, 'bytes', SIZE)
  assert.ok(areaOf(byBytes, 'a.test/blog') > 4 * areaOf(byBytes, 'a.test/docs'))
})

test('the cells of a folder are in it', () => {
  const cells = layOutCells(LEVEL, 'urls', SIZE)
  const [outer, inner] = [cells.find(({ key }) => key === 'a.test/docs'), cells.find(({ depth }) => depth === 1)]
  assert.ok(outer && inner)
  assert.ok(inner.x >= outer.x && inner.y > outer.y && inner.x + inner.width <= outer.x + outer.width)
})

test('arrow keys move to the nearest cell of the same level', () => {
  const cells = layOutCells(LEVEL, 'urls', SIZE)
  const docs = cells.find(({ key }) => key === 'a.test/docs')
  assert.ok(docs)
  const right = nextCell(cells, docs, 'ArrowRight')
  assert.ok(right !== null && right.x > docs.x && right.depth === 0)
  assert.equal(nextCell(cells, docs, 'ArrowLeft'), null)
  assert.equal(nextCell(cells, docs, 'x'), null)
})

test('a cell has a name with its figures, and the colours of its states or its time', () => {
  const content = { kind: 'folder', folder: folder('a.test/docs', 60, 2048) } as const
  assert.equal(cellName(content), 'docs')
  assert.equal(cellTitle(content), 'a.test/docs, 60 URLs, 2.00 KB, 120 ms on average, 59 visited, 1 not found')
  assert.deepEqual(
    stateShades(content).map(({ colour, share }) => [colour, Math.round(share * 60)]),
    [
      ['var(--state-visited)', 59],
      ['var(--state-not_found)', 1],
    ],
  )
  assert.equal(timeShade(content).length, 1)
  assert.deepEqual(stateShades({ kind: 'rest', urls: 3, bytes: 0 }), [])
})

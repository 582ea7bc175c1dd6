import assert from 'node:assert/strict'
import { it } from 'node:test'
import { HostGraphs } from './host-graphs.ts'

function makeGraphs(outlinks: Record<string, number[]>): HostGraphs {
  const graphs = new HostGraphs()
  for (const [host, pages] of Object.entries(outlinks)) for (const links of pages) graphs.add(host, links)
  return graphs
}

it('a page with many times the links of the other pages of its host is a list of links', () => {
  const graphs = makeGraphs({ 'a.test': [5, 7, 10, 12, 100], 'menu.test': [150, 155, 160, 170] })
  assert.deepEqual(graphs.describe('a.test', 79), { hostPages: 5, isLinkList: false })
  assert.deepEqual(graphs.describe('a.test', 80), { hostPages: 5, isLinkList: true })
  // Every page has a large menu.
  assert.deepEqual(graphs.describe('menu.test', 170), { hostPages: 4, isLinkList: false })
})

it('a page with few links is no list, however few the others have', () => {
  const graphs = makeGraphs({ 'a.test': [1, 1, 1, 49, 50] })
  assert.equal(graphs.describe('a.test', 49).isLinkList, false)
  assert.equal(graphs.describe('a.test', 50).isLinkList, true)
})

it('files without links are pages, but do not lower the median', () => {
  const graphs = makeGraphs({ 'a.test': [0, 0, 0, 0, 20, 20, 90] })
  assert.deepEqual(graphs.describe('a.test', 90), { hostPages: 7, isLinkList: false })
  assert.deepEqual(graphs.describe('b.test', 90), { hostPages: 0, isLinkList: false })
})

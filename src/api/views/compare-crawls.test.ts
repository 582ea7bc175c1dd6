import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleRow } from '../../engine/export/testing/sample-rows.ts'
import type { UrlRow } from '../../ports/urls.ts'
import { compareCrawls } from './compare-crawls.ts'

const row = (path: string, changes: Partial<UrlRow> = {}) => sampleRow({ url: `http://a.test/${path}`, ...changes })

test('added, removed and changed URLs are differences; ids and times are not', async () => {
  const crawls: Record<string, UrlRow[]> = {
    a: [row('gone'), row('same', { id: 1, fetchMs: 5 }), row('changed', { title: 'Before' })],
    b: [row('changed', { title: 'After', httpStatus: 404 }), row('new'), row('same', { id: 9, fetchMs: 50 })],
  }
  const urls = {
    async *rows(id: string) {
      yield* crawls[id] ?? []
    },
  }
  const { differences, ...counts } = await compareCrawls('a', 'b', urls)
  assert.deepEqual(counts, { added: 1, removed: 1, changed: 1, same: 1 })
  assert.deepEqual(
    differences.map(({ url, change, fields }) => [url.slice(14), change, fields]),
    [
      ['changed', 'changed', ['http_status', 'title']],
      ['gone', 'removed', []],
      ['new', 'added', []],
    ],
  )
  assert.equal(differences[0]?.before?.['title'], 'Before')
  assert.equal(differences[0]?.after?.['title'], 'After')
})

test('a page that is gone in the second crawl is removed, and one that was gone in the first is added', async () => {
  const crawls: Record<string, UrlRow[]> = {
    a: [row('1', { state: 'visited' }), row('2', { state: 'not_found' }), row('3', { state: 'visited' })],
    b: [
      row('1', { state: 'not_found' }),
      row('2', { state: 'visited' }),
      row('3', { state: 'http_error', reason: 'http_410' }),
    ],
  }
  const urls = {
    async *rows(id: string) {
      yield* crawls[id] ?? []
    },
  }
  const { differences, added, removed } = await compareCrawls('a', 'b', urls)
  assert.deepEqual([added, removed], [1, 2])
  assert.deepEqual(
    differences.map(({ change }) => change),
    ['removed', 'added', 'removed'],
  )
})

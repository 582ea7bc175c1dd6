import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { IndexHit } from '../../ports/search.ts'
import { resultHtml } from './result-html.ts'

const HIT = {
  pageId: 1,
  url: 'http://a.test/caf%C3%A9/x.txt',
  title: '',
  titleHighlights: [],
  snippet: { text: 'words', highlights: [] },
  visitedAt: 0,
  similar: 0,
  lang: null,
} as unknown as IndexHit

test('a result without a title has its URL as title, and no address below it', async () => {
  const untitled = String(await resultHtml(HIT))
  assert.match(untitled, />http:\/\/a\.test\/caf%C3%A9\/x\.txt<\/a>/)
  assert.doesNotMatch(untitled, /class="address"/)
  assert.match(String(await resultHtml({ ...HIT, title: 'Menu' })), /<p class="address">a\.test › café › x\.txt<\/p>/)
})

import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { FoundUrl } from '../../ports/visits.ts'
import { decodeFoundUrls, encodeFoundUrls } from './found-urls.ts'

it('found URLs keep their kind, and whether only a script names them', () => {
  const page: FoundUrl = {
    key: -7n,
    host: 'a.test',
    url: 'http://a.test/',
    kind: 'page',
    isRefresh: false,
    listing: null,
  }
  const all: FoundUrl[] = [page, { ...page, kind: 'requisite' }, { ...page, isFromScript: true }]
  assert.deepEqual(decodeFoundUrls(encodeFoundUrls(all)), all)
})

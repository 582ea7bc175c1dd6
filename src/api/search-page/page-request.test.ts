import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pageHref, readPageRequest, toQueryText, withFacet } from './page-request.ts'

const read = (query: string) => readPageRequest(new URLSearchParams(query))

test('an address gives the request that it was made of', () => {
  const request = read('q=apple+%26+pear&host=a.example%3A8080&lang=en&date=2026-11&sort=newest&page=3')
  assert.deepEqual(readPageRequest(new URL(pageHref(request, { page: 3 }), 'http://x').searchParams), request)
  assert.equal(toQueryText(request), 'apple & pear site:a.example:8080 lang:en changed:2026-11')
})

test('a change of a facet starts on the first page', () => {
  const request = read('q=apple&host=a.example&page=3')
  assert.equal(withFacet(request, 'lang', 'de'), '/search?q=apple&host=a.example&lang=de')
  assert.equal(withFacet(request, 'host', null), '/search?q=apple')
})

test('whatever is not a value of a facet is ignored, and numbers of pages are bounded', () => {
  const request = read('q=x&host=a+OR+crawl:1&lang=%22&page=-1')
  assert.deepEqual([request.facets, request.page], [{}, 1])
  for (const [page, expected] of [
    ['1e9', 100],
    ['2.5', 1],
    ['x', 1],
  ] as const)
    assert.equal(read(`page=${page}`).page, expected)
})

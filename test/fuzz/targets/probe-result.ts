// Does with the result of a request what a visit does with it.

import assert from 'node:assert/strict'
import { judge } from '../../../src/engine/crawl/verdict.ts'
import type { FetchResult } from '../../../src/engine/fetch/result.ts'
import { decide } from '../../../src/engine/media/decide.ts'
import { typeNamed } from '../../../src/engine/media/list.ts'
import { decodeHtml } from '../../../src/engine/parse/charset.ts'
import { readHtml } from '../../../src/engine/parse/html.ts'
import { canonicalFromLinkHeader, readDirectives } from '../../../src/engine/robots/directives.ts'
import { normaliseUrl } from '../../../src/engine/url/normalise.ts'

const NOW = Date.UTC(2026, 10, 15)
const URL_ASKED = 'http://example.com/a'

export function probeResult(result: FetchResult, maxBodyBytes: number): void {
  const verdict = judge(
    result,
    { retries: 3, retryDelayMs: 1000 },
    { url: URL_ASKED, attempts: 0, now: NOW, luck: 0.5 },
  )
  if (verdict.state === 'retry') assert.ok(Number.isSafeInteger(verdict.dueAt) && verdict.dueAt > NOW)
  assert.ok(result.wireBytes >= 0 && result.fetchMs >= 0)
  if (result.kind === 'failure') return assert.notEqual(result.detail, '')

  const { status, body, contentType, location, linkHeader, robotsTag, etag, lastModified } = result
  assert.ok(status >= 200 && status <= 999, `status ${status}`)
  assert.ok(body.length <= maxBodyBytes && result.ttfbMs <= result.fetchMs)
  for (const value of [contentType, location, linkHeader, robotsTag, etag, lastModified]) {
    // The X-Robots-Tags come a line each.
    assert.doesNotMatch(value?.replaceAll('\n', '') ?? '', /[\r\0]/, 'a header is one line')
  }
  if (location !== null) normaliseUrl(location, URL_ASKED)
  canonicalFromLinkHeader(linkHeader)
  const isPage = typeNamed(decide(contentType, body).type)?.isPage === true
  const html = isPage ? readHtml(decodeHtml(body, contentType).text, true) : null
  readDirectives({ html, robotsTag, product: 'Orbweaver', now: NOW })
}

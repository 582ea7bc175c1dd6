// Processes the result of a request as a visit does.

import assert from 'node:assert/strict'
import { decideVerdict } from '../../../src/engine/crawl/visit/verdict.ts'
import type { FetchResult } from '../../../src/engine/fetch/fetch-result.ts'
import { findContentType } from '../../../src/engine/media/content-types.ts'
import { detectContentType } from '../../../src/engine/media/detect-type.ts'
import { decodeHtml } from '../../../src/engine/parse/charset/decode-html.ts'
import { readHtml } from '../../../src/engine/parse/html-reader.ts'
import { canonicalFromLinkHeader } from '../../../src/engine/parse/link-header.ts'
import { readDirectives } from '../../../src/engine/robots/directives.ts'
import { normaliseUrl } from '../../../src/engine/url/normalise-url.ts'

const NOW = Date.UTC(2026, 10, 15)
const REQUESTED_URL = 'http://example.com/a'

export function checkFetchResult(result: FetchResult, maxBodyBytes: number): void {
  const visitOutcome = decideVerdict(
    result,
    { retries: 3, retryDelayMs: 1000, retryMaxDelayMs: 300_000 },
    { url: REQUESTED_URL, attempts: 0, now: NOW, jitter: 0.5 },
  )
  if (visitOutcome.state === 'retry') assert.ok(Number.isSafeInteger(visitOutcome.dueAt) && visitOutcome.dueAt > NOW)
  assert.ok(result.wireBytes >= 0 && result.fetchMs >= 0)
  if (result.kind === 'failure') return assert.notEqual(result.detail, '')

  const { status, body, contentType, location, linkHeader, robotsTag, etag, lastModified } = result
  assert.ok(status >= 200 && status <= 999, `status ${status}`)
  assert.ok(body.length <= maxBodyBytes && result.ttfbMs <= result.fetchMs)
  for (const value of [contentType, location, linkHeader, robotsTag, etag, lastModified]) {
    // Several X-Robots-Tag headers are joined by line breaks.
    assert.doesNotMatch(value?.replaceAll('\n', '') ?? '', /[\r\0]/, 'a header is one line')
  }
  if (location !== null) normaliseUrl(location, REQUESTED_URL)
  canonicalFromLinkHeader(linkHeader)
  const isPage = findContentType(detectContentType(contentType, body).type)?.isPage === true
  const html = isPage ? readHtml(decodeHtml(body, contentType).text, true) : null
  readDirectives({ html, robotsTag, product: 'Orbweaver', now: NOW })
}

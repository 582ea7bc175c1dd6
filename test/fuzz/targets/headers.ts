// Header values: content type, redirect target, waiting time and robots directives.

import assert from 'node:assert/strict'
import { readLinkHeader, readLocation, readValidator, requestHeaders } from '../../../src/engine/fetch/headers.ts'
import { detectContentType } from '../../../src/engine/media/detect-type.ts'
import { decodeHtml, findEncoding } from '../../../src/engine/parse/charset/decode-html.ts'
import { canonicalFromLinkHeader } from '../../../src/engine/parse/link-header.ts'
import { parseMetaRefresh } from '../../../src/engine/parse/meta-refresh.ts'
import { parseRetryAfterMs } from '../../../src/engine/politeness/retry-after.ts'
import { findRefusedRel, readDirectives } from '../../../src/engine/robots/directives.ts'
import type { SeededRandom } from '../../../src/lib/seeded-random.ts'
import { HEADER_CORPUS, HEADER_TOKENS } from '../corpus/headers.ts'
import { type FuzzTarget, pureTarget } from '../fuzz-target.ts'
import { makeInputWriter, randomTokens } from '../input-writer.ts'

const NOW = Date.UTC(2026, 10, 15)
const PRODUCT = 'Orbweaver/1.0'
const BODY = Buffer.from('h\xe9llo', 'latin1')
/** The client's limit for headers. */
const MAX_BYTES = 32 * 1024

export const headersTarget: FuzzTarget = pureTarget(
  'headers',
  makeInputWriter({
    corpus: HEADER_CORPUS,
    tokens: HEADER_TOKENS,
    grammars: [randomTokens(HEADER_TOKENS)],
    maxBytes: MAX_BYTES,
  }),
  check,
)

/** Headers are Latin-1; the same directives in a page may contain any character. */
function check(input: Buffer, seededRandom: SeededRandom): void {
  const text = input.toString(seededRandom.chance(0.5) ? 'latin1' : 'utf8')
  checkType(text)
  checkWait(text)
  checkLinks(text)
  checkDirectives(text)
  const refresh = parseMetaRefresh(text)
  assert.ok(refresh === null || text.includes(refresh))
  assert.deepEqual(
    requestHeaders(text, [
      { name: text, value: text },
      { name: 'Accept', value: 'x' },
    ]).at(-1),
    ['accept', 'x'],
  )
}

function checkType(text: string): void {
  detectContentType(text, BODY)
  const { charset } = decodeHtml(BODY, text)
  assert.equal(findEncoding(charset), charset)
}

function checkWait(text: string): void {
  const waitMs = parseRetryAfterMs(text, NOW)
  assert.ok(Number.isSafeInteger(waitMs) && waitMs >= 0, `${waitMs}`)
}

function checkLinks(text: string): void {
  const canonical = canonicalFromLinkHeader(readLinkHeader(['link', text, 'Link', text]))
  assert.ok(canonical === null || (canonical !== '' && canonical === canonical.trim() && !canonical.includes('>')))
  assert.doesNotMatch(readLocation(['Location', text]) ?? '', /[\x80-\xff]/)
  assert.ok((readValidator(['etag', text], 'etag') ?? '').length <= 1024)
  findRefusedRel(text.toLowerCase(), { relNofollow: true, skipUgcSponsored: true })
}

/** Directives of a header and a page are combined; an empty line removes none. */
function checkDirectives(text: string): void {
  const inHeader = readDirectives({ html: null, robotsTag: text, product: PRODUCT, now: NOW })
  const html = { robots: text, robotsFor: new Map([['orbweaver', text]]) }
  const inBoth = readDirectives({ html, robotsTag: `all\n${text}`, product: PRODUCT, now: NOW })
  for (const [name, isSet] of Object.entries(inHeader)) {
    if (isSet)
      assert.ok(
        Object.entries(inBoth).some(([other, isAlsoSet]) => other === name && isAlsoSet),
        name,
      )
  }
}

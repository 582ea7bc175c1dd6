// Arbitrary rows for property tests, with the worst strings a website can send.

import fc from 'fast-check'
import { URL_STATES } from '../../../lib/states.ts'
import type { UrlRow } from '../../../ports/urls.ts'
import { URL_KINDS } from '../../../ports/visits.ts'

const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.string({ maxLength: 30 }),
  fc
    .tuple(fc.constantFrom('=', '+', '-', '@', '\t', '\r', '\0', '"', '\n', ',', ' '), fc.string({ maxLength: 8 }))
    .map((parts) => parts.join('')),
  fc.constantFrom(
    '=HYPERLINK("http://x")',
    '</data></node>]]><!--',
    '&lt;&#0;<?xml?>',
    '\u001b[2J\u009b\u007f\ufffe\uffff\ud800',
    'a\u2028b\u202ec',
    '\u{e0041}\u{1f600}',
  ),
)

export const anyRow: fc.Arbitrary<UrlRow> = fc.record({
  id: fc.nat(),
  url: anyText,
  state: fc.constantFrom(...URL_STATES),
  reason: fc.option(anyText),
  depth: fc.nat(50),
  priority: fc.integer({ min: -10, max: 10 }),
  httpStatus: fc.option(fc.integer({ min: 100, max: 599 })),
  contentType: fc.option(anyText),
  contentLength: fc.option(fc.nat()),
  contentHash: fc.option(anyText),
  title: fc.option(anyText),
  discoveredFrom: fc.option(fc.nat()),
  redirectTo: fc.option(anyText),
  attempts: fc.nat(9),
  fetchMs: fc.option(fc.nat()),
  processingMs: fc.option(fc.nat()),
  visitedBy: fc.option(anyText),
  ip: fc.option(anyText),
  firstSeenAt: fc.nat(2 ** 40),
  visitedAt: fc.option(fc.nat(2 ** 40)),
  leasedBy: fc.option(anyText),
  kind: fc.constantFrom(...URL_KINDS),
  canonical: fc.option(anyText),
  noindex: fc.boolean(),
  cname: fc.option(anyText),
  proxy: fc.option(anyText),
  isFromScript: fc.boolean(),
  listing: fc.record({
    lastmod: fc.option(fc.nat(2 ** 40)),
    changefreq: fc.option(anyText),
    priority: fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
  }),
})

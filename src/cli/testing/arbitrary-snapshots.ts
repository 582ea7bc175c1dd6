// Arbitrary snapshots for property tests, with hostile strings as a web site may send them. Separate from
// sample-snapshot.ts because loading fast-check takes a second.

import fc from 'fast-check'
import { WAIT_REASONS } from '../../engine/crawl/hosts/host-waits.ts'
import { CRAWL_STATUSES, type Ledger, URL_STATES } from '../../lib/states.ts'
import { HOLD_REASONS } from '../../ports/hold-reasons.ts'
import type { CrawlSnapshot } from '../live/crawl-snapshot.ts'

const HOSTILE_STRINGS = [
  '\u001b[2J\u001b]0;owned\u0007',
  '\u009b31mred\u007f',
  'a\r\nb\tc\0d',
  '\u202eevil\u2066\u200f\u061c',
  'line\u2028break\u2029',
  'e\u0301\u0302\u0303\u0304\u0305\u0306',
  '日本語ドメイン.example',
  '👩\u200d👩\u200d👧 ❤\ufe0f 🇩🇪',
  '\ud800 lone \udfff',
  'ｆｕｌｌ　ｗｉｄｔｈ',
  '<script>alert(1)</script>"\'&',
  '=cmd|calc',
]

export const anyText = fc.oneof(
  fc.constantFrom(...HOSTILE_STRINGS),
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.string({ maxLength: 40 }),
  fc.array(fc.constantFrom(...HOSTILE_STRINGS), { maxLength: 20 }).map((parts) => parts.join('')),
)

const anyCount = fc.oneof(
  fc.constant(0),
  fc.nat(2000),
  fc.nat(2 ** 31),
  fc.maxSafeNat().map((n) => n >> 4),
)
const anyRate = fc.oneof(fc.constant(0), fc.double({ min: 0, max: 1e6, noNaN: true }))

export const anySnapshot: fc.Arbitrary<CrawlSnapshot> = fc.record({
  crawlId: fc.oneof(fc.uuid(), anyText),
  rootUrl: anyText,
  status: fc.constantFrom(...CRAWL_STATUSES),
  reason: fc.option(anyText),
  ledger: fc
    .array(anyCount, { minLength: URL_STATES.length, maxLength: URL_STATES.length })
    .map(
      (counts) => Object.fromEntries(URL_STATES.map((state, index) => [state, Math.abs(counts[index] ?? 0)])) as Ledger,
    ),
  sitemaps: fc.constant(0),
  requisites: fc.constant(0),
  bytes: fc.maxSafeNat(),
  rejected: fc.dictionary(anyText, fc.nat(), { maxKeys: 8 }),
  maxPages: fc.option(fc.nat()),
  sitemapOnly: fc.boolean(),
  elapsedMs: fc.oneof(fc.nat(100_000), fc.nat()),
  pagesPerSecond: anyRate,
  inFlight: fc.nat(5000),
  hosts: fc.array(
    fc.record({
      host: anyText,
      requests: fc.nat(),
      responseMs: fc.double({ min: 0, max: 1e7, noNaN: true }),
    }),
    { maxLength: 12 },
  ),
  waits: fc.array(
    fc.record({
      reason: fc.constantFrom(...WAIT_REASONS),
      hosts: fc.integer({ min: 1, max: 2000 }),
      host: anyText,
      leftMs: fc.nat(),
    }),
    { maxLength: 6 },
  ),
  held: fc.option(fc.constantFrom(...HOLD_REASONS)),
  draining: fc.boolean(),
  nextVisitInMs: fc.option(fc.nat()),
  runsElsewhere: fc.boolean(),
})

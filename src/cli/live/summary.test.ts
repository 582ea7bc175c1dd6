import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { anySnapshot, anyText } from '../testing/arbitrary-snapshots.ts'
import { sampleLedger, sampleSnapshot, stripColor } from '../testing/sample-snapshot.ts'
import { type SummaryOptions, summaryLines } from './summary.ts'

const PLAIN = {
  reasons: {},
  brokenSitemaps: [],
  traps: [],
  color: false,
  location: { data: './orbweaver-data', store: null },
  program: './orbweaver',
}
const ID = '7f3c2b9a'

test('the summary of a finished crawl has counts and next commands', () => {
  const ledger = sampleLedger({ visited: 3120, redirected: 40, failed: 3 })
  assert.deepEqual(summaryLines(sampleSnapshot({ status: 'completed', ledger }), PLAIN), [
    'Finished.',
    `https://docs.example.com/  crawl ${ID}-1b2c-4d5e-8f90-a1b2c3d4e5f6`,
    '',
    '3,163 URLs, 12s, 260 pages/s, 61.2 MB received',
    '  visited     3,120',
    '  redirected     40',
    '  failed          3',
    'rejected links: out of scope (812), nofollow (30)',
    '',
    'Next:',
    `  ./orbweaver export ${ID} --format csv --out crawl.csv`,
    `  ./orbweaver verify ${ID}`,
  ])
})

test('a crawl that mostly failed says so', () => {
  const ledger = sampleLedger({ visited: 88, failed: 400, not_found: 12, excluded: 9000 })
  const [first] = summaryLines(sampleSnapshot({ status: 'completed', ledger }), PLAIN)
  assert.equal(first, 'Finished, 412 of 500 URLs failed.')
})

test('a reason that says the same as the status is left out', () => {
  const [first] = summaryLines(sampleSnapshot({ status: 'cancelled', reason: 'cancelled' }), PLAIN)
  assert.equal(first, 'Cancelled.')
})

test('the summary of a paused crawl says what is left and how to resume', () => {
  const lines = summaryLines(sampleSnapshot({ status: 'paused' }), PLAIN)
  assert.equal(lines[0], 'Paused: 2,347 URLs left, nothing is lost.')
  assert.ok(lines.includes(`  ./orbweaver resume ${ID}`))
})

test('a paused crawl whose URLs are all visited has none due, and no rate', () => {
  const ledger = sampleLedger({ visited: 3120 })
  const lines = summaryLines(sampleSnapshot({ status: 'paused', ledger, nextVisitInMs: 60_000 }), PLAIN)
  assert.equal(lines[0], 'Paused: no URL is due now, nothing is lost.')
  assert.equal(lines[3], '3,120 URLs, 12s, 61.2 MB received')
})

test('a running crawl says what it waits for, unless it is on hold', () => {
  const bottleneck = 'The crawl waits for a proxy: all of them failed.'
  const running = sampleSnapshot({ status: 'running', runsElsewhere: true })
  assert.equal(summaryLines(running, { ...PLAIN, bottleneck })[1], bottleneck)
  assert.match(summaryLines({ ...running, held: 'low_disk' }, { ...PLAIN, bottleneck })[1] ?? '', /^Waiting: the disk/)
})

test('a crawl that another process runs is shown as running, and not to be resumed', () => {
  const lines = summaryLines(sampleSnapshot(), PLAIN)
  assert.equal(lines[0], 'Running: 2,347 URLs left.')
  assert.ok(!lines.some((line) => line.includes('resume')), lines.join('\n'))
})

test('a running crawl without a worker is shown as not finished, with the command that resumes it', () => {
  const lines = summaryLines(sampleSnapshot({ held: 'no_worker' }), PLAIN)
  assert.equal(lines[0], 'Not finished: 2,347 URLs left, nothing is lost.')
  assert.equal(
    lines[1],
    'Waiting: no worker is running; restart the server, or start a worker if there are several machines.',
  )
  assert.ok(lines.includes(`  ./orbweaver resume ${ID}`))
})

test('a crawl that visited no page says so', () => {
  const lines = summaryLines(sampleSnapshot({ status: 'completed', ledger: sampleLedger({ not_found: 1 }) }), PLAIN)
  assert.equal(lines[0], 'Finished: no page was visited.')
})

test('the reason of an early end is shown', () => {
  const lines = summaryLines(sampleSnapshot({ status: 'completed', reason: 'max_pages' }), PLAIN)
  assert.equal(lines[0], 'Finished (max pages).')
})

test('commands name a custom data directory, quoted for the shell if needed', () => {
  const last = (data: string) => summaryLines(sampleSnapshot(), { ...PLAIN, location: { data, store: null } }).at(-1)
  assert.equal(last('orbweaver-data'), `  ./orbweaver verify ${ID}`)
  assert.equal(last('/srv/crawls'), `  ./orbweaver verify ${ID} --data /srv/crawls`)
  assert.equal(last("it's here"), `  ./orbweaver verify ${ID} --data 'it'\\''s here'`)
})

test('a crawl that found only a start URL it could not visit suggests no commands', () => {
  const nextOf = (ledger: Parameters<typeof sampleLedger>[0]) =>
    summaryLines(sampleSnapshot({ ledger: sampleLedger(ledger), status: 'completed' }), PLAIN).includes('Next:')
  assert.deepEqual([{ excluded: 1 }, { not_found: 2 }, { visited: 1 }].map(nextOf), [false, true, true])
})

test('links beyond the limit of a page come with a hint at the option', () => {
  const lines = summaryLines(sampleSnapshot({ rejected: { too_many_links: 7 } }), PLAIN)
  assert.ok(lines.includes('Raise --max-links to follow more links per page.'), lines.join('\n'))
})

test('a crawl whose start URL robots.txt disallows says so', () => {
  const hintOf = (ledger: Parameters<typeof sampleLedger>[0], reasons = { robots: 1 }) =>
    summaryLines(sampleSnapshot({ ledger: sampleLedger(ledger), status: 'completed' }), { ...PLAIN, reasons }).filter(
      (line) => line.includes('--ignore-robots'),
    )
  assert.deepEqual(hintOf({ excluded: 1 }), [
    'robots.txt disallows the start URL. If the site is yours, use --ignore-robots.',
  ])
  assert.deepEqual(hintOf({ excluded: 2 }, { robots: 2 }), [
    'robots.txt disallows all start URLs. If the site is yours, use --ignore-robots.',
  ])
  assert.deepEqual(hintOf({ visited: 3, excluded: 1 }), [])
  assert.deepEqual(hintOf({ redirected: 1, excluded: 1 }), [])
})

test('a crawl that ends because hardly any links are in scope says so', () => {
  const hasHint = (visited: number, scope: number, notIncluded = 0) =>
    summaryLines(
      sampleSnapshot({ ledger: sampleLedger({ visited }), rejected: { scope, not_included: notIncluded } }),
      PLAIN,
    ).some((line) => line.startsWith('Hardly any links are in scope.'))
  assert.equal(hasHint(1, 38), true)
  assert.equal(hasHint(1, 2), false)
  assert.equal(hasHint(40, 812), false)
  assert.equal(hasHint(1, 12, 240), false)
})

test('only the most common reasons of rejected links are listed', () => {
  const rejected = { a: 1, b: 2, c: 3, d: 4, e: 5, f: 6, g: 7, none: 0 }
  const lines = summaryLines(sampleSnapshot({ rejected }), PLAIN)
  assert.ok(lines.includes('rejected links: g (7), f (6), e (5), d (4), c (3), b (2), other (1)'))
})

function broken(text: string): SummaryOptions['brokenSitemaps'] {
  return [{ url: text, state: 'failed', reason: text }]
}

test('no control character from the web reaches the summary', () => {
  fc.assert(
    fc.property(anySnapshot, anyText, fc.boolean(), (snapshot, text, color) => {
      for (const line of summaryLines(snapshot, {
        color,
        location: { data: text, store: null },
        program: './orbweaver',
        reasons: { [text]: 1 },
        brokenSitemaps: broken(text),
        traps: [{ pattern: text, urls: 1, example: text }],
      })) {
        assert.doesNotMatch(stripColor(line), /[\p{Cc}\p{Cf}\p{Cs}]/u)
        if (!color) assert.equal(stripColor(line), line)
      }
    }),
  )
})

test('reasons are listed, with a hint for blocked addresses', () => {
  const lines = summaryLines(sampleSnapshot(), { ...PLAIN, reasons: { address_blocked: 2, http_500: 1 } })
  assert.ok(lines.includes('reasons: address blocked (2), HTTP 500 (1)'))
  assert.ok(lines.includes('Addresses that are not public need --allow-private.'))
})

test('no reason is left out: the rarer ones are counted together, and 401 comes with a hint', () => {
  const reasons = { http_401: 9, pdf_broken: 8, a: 7, b: 6, c: 5, d: 4, e: 3, f: 2 }
  const lines = summaryLines(sampleSnapshot(), { ...PLAIN, reasons })
  assert.ok(lines.includes('reasons: HTTP 401 (9), PDF broken (8), a (7), b (6), c (5), d (4), other (5)'))
  assert.ok(lines.includes('Pages that returned 401 need credentials: use --auth.'))
})

test('sitemaps are not counted as pages, and unreadable sitemaps are listed', () => {
  const ledger = sampleLedger({ visited: 63, not_found: 1 })
  const brokenSitemaps: SummaryOptions['brokenSitemaps'] = [
    { url: 'https://a.example/map.xml', state: 'not_found', reason: null },
    { url: 'https://a.example/page', state: 'visited', reason: 'not_a_sitemap' },
  ]
  const lines = summaryLines(sampleSnapshot({ ledger, sitemaps: 3 }), { ...PLAIN, brokenSitemaps })
  assert.deepEqual(lines.slice(4, 10), [
    '  visited     60',
    '  sitemaps     3',
    '  not found    1',
    'unreadable sitemaps:',
    '  https://a.example/map.xml (not found)',
    '  https://a.example/page (not a sitemap)',
  ])
})

test('the summary of a held crawl gives the reason', () => {
  const lines = summaryLines(sampleSnapshot({ status: 'paused', held: 'max_disk' }), PLAIN)
  assert.equal(lines[0], 'Paused: 2,347 URLs left, nothing is lost.')
  assert.match(lines[1] ?? '', /^Waiting: the data directory has reached --max-disk; free some space, or /)
})

test('excluded patterns come with an example and the command that releases them', () => {
  const traps = [{ pattern: 'a.test/calendar/N/N', urls: 1200, example: 'http://a.test/calendar/2031/1' }]
  const reasons = { trap: 1200, 'trap:a.test/calendar/N/N': 1200, http_500: 1 }
  const lines = summaryLines(sampleSnapshot({ status: 'completed' }), { ...PLAIN, traps, reasons })
  assert.ok(lines.includes('reasons: HTTP 500 (1)'), lines.join('\n'))
  const at = lines.indexOf('1,200 URLs excluded as spider traps: the pages repeat each other endlessly.')
  assert.ok(at > 0, lines.join('\n'))
  assert.equal(lines[at + 1], '  1,200 linked from a.test/calendar/N/N, for example http://a.test/calendar/2031/1')
  assert.match(lines[at + 2] ?? '', /traps \w{8} --release 'a\.test\/calendar\/N\/N'/)
})

test('pages that look empty without JavaScript come with a hint', () => {
  const one = summaryLines(sampleSnapshot(), { ...PLAIN, reasons: { needs_javascript: 1 } })
  assert.ok(one.includes('1 page looks empty without JavaScript. Try --render auto.'))
  const more = summaryLines(sampleSnapshot(), { ...PLAIN, reasons: { http_500: 1, needs_javascript: 12 } })
  assert.ok(more.includes('reasons: HTTP 500 (1)'))
  assert.ok(more.includes('12 pages look empty without JavaScript. Try --render auto.'))
  const hint = 'The start page has hardly any links without JavaScript. Try --render auto.'
  const hasHint = (visited: number) =>
    summaryLines(sampleSnapshot({ ledger: sampleLedger({ visited }) }), {
      ...PLAIN,
      reasons: { links_need_javascript: 1 },
    }).includes(hint)
  assert.deepEqual([hasHint(1), hasHint(20)], [true, false])
})

test('a crawl of sitemap URLs says that the site has no sitemap', () => {
  const line = (changes: Parameters<typeof sampleSnapshot>[0]) =>
    summaryLines(sampleSnapshot({ status: 'completed', sitemapOnly: true, ...changes }), PLAIN)
      .filter((text) => text.includes('so only'))
      .join()
  const ledger = sampleLedger({ visited: 1 })
  assert.equal(line({ ledger }), 'The site has no sitemap, so only the start URL was visited.')
  const broken = sampleLedger({ visited: 1, failed: 1 })
  assert.equal(line({ ledger: broken }), 'No sitemap could be read, so only the start URL was visited.')
  assert.equal(
    line({ ledger: sampleLedger({ visited: 2 }) }),
    'The site has no sitemap, so only the start URLs were visited.',
  )
  assert.equal(line({ ledger: sampleLedger({ visited: 2 }), sitemaps: 1 }), '')
  assert.equal(line({ ledger, sitemapOnly: false }), '')
  assert.equal(line({ ledger, status: 'running' }), '')
})

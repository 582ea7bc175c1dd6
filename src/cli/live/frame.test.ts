import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { estimateRemainingMs } from '../../engine/crawl/stats/estimate-remaining.ts'
import { displayWidth } from '../format/units.ts'
import { anySnapshot } from '../testing/arbitrary-snapshots.ts'
import { sampleLedger, sampleSnapshot, stripColor } from '../testing/sample-snapshot.ts'
import { type FrameOptions, renderFrame } from './frame.ts'

const WIDE: FrameOptions = { columns: 100, rows: 30, color: false, unicode: true, history: [100, 200, 412], peak: 412 }

for (const columns of [40, 80, 120, 200]) {
  test(`no frame is wider than ${columns} columns or higher than the rows, whatever the crawl contains`, () => {
    const anyOptions = fc.record({
      columns: fc.constant(columns),
      rows: fc.integer({ min: 1, max: 60 }),
      color: fc.boolean(),
      unicode: fc.boolean(),
      peak: fc.double({ min: 0, max: 1e5, noNaN: true }),
      history: fc.array(fc.double({ min: 0, max: 1e5, noNaN: true }), { maxLength: 60 }),
    })
    fc.assert(
      fc.property(anySnapshot, anyOptions, (snapshot, options) => {
        const lines = renderFrame(snapshot, options)
        assert.ok(lines.length <= options.rows - 1, `${lines.length} lines in ${options.rows} rows`)
        for (const line of lines) {
          const text = stripColor(line)
          assert.doesNotMatch(text, /[\p{Cc}\p{Cf}\p{Cs}]/u)
          assert.ok(displayWidth(text) < columns, text)
          if (!options.unicode) assert.match(text, /^[ -~]*$/)
          if (!options.color) assert.equal(text, line)
        }
      }),
    )
  })
}

test('frames in tiny windows are truncated', () => {
  for (const columns of [0, 1, 5, 20]) {
    for (const line of renderFrame(sampleSnapshot(), { ...WIDE, columns })) assert.ok(displayWidth(line) <= columns)
  }
})

test('a frame shows the crawl, its counts, its rate and its hosts', () => {
  const hosts = [
    { host: 'busy.example', requests: 900, responseMs: 10 },
    { host: 'slow.example', requests: 5, responseMs: 2400 },
  ]
  const text = renderFrame(sampleSnapshot({ hosts, maxPages: 5000 }), WIDE).join('\n')
  for (const part of ['https://docs.example.com/', 'crawl 7f3c2b9a', '1,204 done of 3,551 found, limit 5,000 pages']) {
    assert.ok(text.includes(part), part)
  }
  assert.match(text, / 33%/)
  assert.match(text, /pages\/s +412 +[▁-█]{3}/)
  assert.match(text, /queued +2,331 .*visited +1,120 .*forbidden +0 .*failed +3/)
  assert.match(text, /rejected +842/)
  assert.match(text, /received +61\.2 MB/)
  assert.match(text, /busy\.example +900 +10 ms +slow\.example +2,400 ms +5/)
})

test('lines do not move when the counts change', () => {
  const labels = (ledger: Parameters<typeof sampleLedger>[0]) =>
    renderFrame(sampleSnapshot({ ledger: sampleLedger(ledger) }), WIDE).map((line) => line.search(/[a-z]{3}/))
  assert.deepEqual(
    labels({ queued: 1 }).slice(4, 12),
    labels({ queued: 900_000, visited: 123_456, failed: 77 }).slice(4, 12),
  )
})

test('the bar is full only if no URL is queued or in progress', () => {
  const bar = (ledger: Parameters<typeof sampleLedger>[0], maxPages: number | null = null) =>
    renderFrame(sampleSnapshot({ ledger: sampleLedger(ledger), sitemaps: 0, maxPages }), WIDE)[2] ?? ''
  assert.match(bar({ visited: 99_999, queued: 1 }), /^ ━+─ +99%$/)
  assert.match(bar({ visited: 99_999, failed: 1 }), /^ ━+ +100%$/)
  assert.match(bar({}), /^ ─+ +0%$/)
  // If there is a page limit, only URLs within the limit count as left.
  assert.match(bar({ visited: 30, queued: 900, in_progress: 5 }, 60), /^ ━+╍+─+ +50%$/)
})

test('colour marks each kind of outcome in the bar', () => {
  const ledger = sampleLedger({ visited: 40, redirected: 20, not_found: 20, failed: 20 })
  const bar = renderFrame(sampleSnapshot({ ledger }), { ...WIDE, color: true })[2] ?? ''
  for (const code of [32, 36, 33, 31]) assert.ok(bar.includes(`\u001b[${code}m━`), String(code))
})

test('the hint explains how to stop, and counts the remaining requests while draining', () => {
  const last = (changes: Parameters<typeof sampleSnapshot>[0]) => renderFrame(sampleSnapshot(changes), WIDE).at(-1)
  assert.equal(last({}), ' Press Ctrl-C to stop; "resume" continues the crawl')
  assert.equal(last({ draining: true, inFlight: 1 }), ' Finishing 1 request. Press Ctrl-C again to quit now.')
})

test('the remaining time follows the recent rate, up to the page limit', () => {
  const ledger = sampleLedger({ queued: 1000, visited: 100 })
  const base = { ledger, pagesPerSecond: 10 }
  assert.equal(estimateRemainingMs(sampleSnapshot(base)), 100_000)
  assert.equal(estimateRemainingMs(sampleSnapshot({ ...base, maxPages: 150 })), 5000)
  assert.equal(estimateRemainingMs(sampleSnapshot({ ...base, maxPages: 9000 })), 100_000)
})

test('there is no estimate if it would be meaningless', () => {
  for (const changes of [
    { elapsedMs: 500 },
    { pagesPerSecond: 0 },
    { draining: true },
    { held: 'low_disk' as const },
    { status: 'completed' as const },
    { ledger: sampleLedger({ visited: 9 }) },
    { ledger: sampleLedger({ queued: 1e12 }), pagesPerSecond: 0.1 },
  ]) {
    assert.equal(estimateRemainingMs(sampleSnapshot(changes)), null)
  }
})

test('a frame shows why hosts wait and why the whole crawl is on hold', () => {
  const waits = [{ reason: 'crawl_delay' as const, hosts: 1, host: 'a.example', leftMs: 8000 }]
  const line = (changes: Parameters<typeof sampleSnapshot>[0], columns = 100) =>
    renderFrame(sampleSnapshot(changes), { ...WIDE, columns }).find((text) => text.startsWith(' waiting'))
  assert.equal(line({}), ' waiting  -')
  assert.equal(line({ waits }), ' waiting  crawl-delay 8s (a.example)')
  assert.equal(line({ waits, held: 'max_disk' }, 60), ' waiting  the data directory has reached --max-disk')
  assert.equal(line({ held: 'max_disk' }, 40), ' waiting  disk limit reached')
})

test('sitemaps are counted separately from pages', () => {
  const text = renderFrame(sampleSnapshot({ ledger: sampleLedger({ visited: 63 }), sitemaps: 3 }), WIDE).join('\n')
  assert.match(text, /visited +60 /)
  assert.match(text, /sitemaps +3 /)
})

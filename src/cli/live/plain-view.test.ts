import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleSnapshot } from '../testing/sample-snapshot.ts'
import { openPlainView, plainLine } from './plain-view.ts'

function openFake() {
  const clock = { ms: 0 }
  const written: string[] = []
  const stream = { write: (text: string) => written.push(text) }
  return { clock, written, view: openPlainView(stream, { now: () => clock.ms, everyMs: 5000 }) }
}

test('a progress line has time, done, rate, queue, in flight and failed', () => {
  const line = '12s  1,204 done of 3,551  412 pages/s  queue 2,331  in flight 16  failed 3'
  assert.equal(plainLine(sampleSnapshot()), line)
})

test('a line is written at most every few seconds', () => {
  const { clock, written, view } = openFake()
  for (clock.ms = 0; clock.ms <= 11_000; clock.ms += 100) view.draw(sampleSnapshot())
  assert.equal(written.length, 2)
})

test('draining is reported once and immediately', () => {
  const { written, view } = openFake()
  view.draw(sampleSnapshot({ draining: true }))
  view.draw(sampleSnapshot({ draining: true }))
  assert.deepEqual(written, ['Finishing 16 requests. Press Ctrl-C again to quit now.\n'])
})

test('closing writes the last lines and nothing after them', () => {
  const { clock, written, view } = openFake()
  view.close(['Finished.'])
  view.close(['Finished.'])
  clock.ms = 60_000
  view.draw(sampleSnapshot())
  assert.deepEqual(written, ['Finished.\n'])
})

test('the start and the end of a hold are reported immediately', () => {
  const { written, view } = openFake()
  for (const held of ['low_disk', 'low_disk', null, null] as const) view.draw(sampleSnapshot({ held }))
  assert.deepEqual(written, [
    'Waiting: the disk is nearly full (--min-free-disk); the crawl continues when space is freed.\n',
    'Continuing.\n',
  ])
})

test('a watching crawl is shown once, and again after a visit', () => {
  const { clock, written, view } = openFake()
  const drawFor = (ms: number, bytes: number) => {
    for (const end = clock.ms + ms; clock.ms < end; clock.ms += 500)
      view.draw(sampleSnapshot({ status: 'watching', bytes, nextVisitInMs: 600_000 }))
  }
  drawFor(60_000, 1000)
  assert.equal(written.length, 1)
  assert.match(written[0] ?? '', /watching, next visit in 10 min\n$/)
  drawFor(60_000, 1200)
  assert.equal(written.length, 2)
})

test('a progress line shows why hosts wait, except for gaps', () => {
  const waits = [
    { reason: 'crawl_delay' as const, hosts: 1, host: 'a.example', leftMs: 8100 },
    { reason: 'gap' as const, hosts: 3, host: 'b.example', leftMs: 200 },
  ]
  assert.match(plainLine(sampleSnapshot({ waits })), / {2}failed 3 {2}waiting: crawl-delay 8s \(a\.example\)$/)
})

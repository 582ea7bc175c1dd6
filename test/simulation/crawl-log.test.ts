// The log of a crawl: real loops on a real store in virtual time.

import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { createLog, type LogFields, type LogLevel } from '../../src/lib/log.ts'
import { blog } from '../sites/traps/good-sites.ts'
import { calendar } from '../sites/traps/trap-sites.ts'
import { HOST, makeTreeSite, type PageResponder, simulateCrawl } from './testing/simulated-crawl.ts'

const PAGES = 20
const POLITE = { delayMs: 100, cooldownMs: 500, retries: 2, retryDelayMs: 100, hostPatienceMs: 300_000 }

/** All seeds are available at the start. */
const SEEDS = Array.from({ length: PAGES }, (_, i) => `http://${HOST}/${i}`)

interface Line {
  level: LogLevel
  event: string
  fields: LogFields
}

type LoggedCrawlOptions = Parameters<typeof simulateCrawl>[2] & { loops?: number }

async function collectLog(
  t: TestContext,
  pageResponder: PageResponder,
  { loops = 1, ...settings }: LoggedCrawlOptions,
) {
  const lines: Line[] = []
  const log = createLog((level, event, logFields) => lines.push({ level, event, fields: logFields }))
  const result = await simulateCrawl(t, pageResponder, { ...POLITE, ...settings, log }, loops)
  return { ...result, lines }
}

/** Events of the log, without lines about single URLs. */
function eventsOf(lines: Line[]): string[] {
  return lines.filter(({ level }) => level !== 'debug').map(({ level, event }) => `${level} ${event}`)
}

/** Unreachable between two times. */
function silentBetween(from: number, to: number): PageResponder {
  const page = makeTreeSite(PAGES)
  return (url, now) => (now >= from && now < to ? { problem: 'connect_refused', latencyMs: 5 } : page(url))
}

describe('the log of a crawl', () => {
  it('has a line for every visit, with its outcome', async (t) => {
    const page = makeTreeSite(PAGES)
    const respond: PageResponder = (url) => (url.endsWith('/7') ? { status: 500 } : page(url))
    const { rows, web, lines } = await collectLog(t, respond, { loops: 2 })
    const visits = lines.filter(({ event }) => event.startsWith('url '))
    assert.equal(visits.length, web.requests.length)
    for (const { url, state } of rows) {
      const [last] = visits.filter(({ fields }) => fields.url === url).slice(-1)
      assert.deepEqual([last?.level, last?.fields.state, last?.fields.host], ['debug', state, HOST], url)
      assert.deepEqual([typeof last?.fields.crawl, last?.fields.worker, last?.fields.ms], ['string', 'w', 20])
    }
    const broken = visits.filter(({ fields }) => String(fields.url).endsWith('/7'))
    assert.deepEqual(
      broken.map(({ event, fields }) => [event, fields.reason, fields.http_status, fields.attempt]),
      [
        ['url retried', 'http_500', 500, 1],
        ['url retried', 'http_500', 500, 2],
        ['url failed', 'http_500', 500, 3],
      ],
    )
    assert.deepEqual(eventsOf(lines), [])
  })

  it('names links that are not URLs, and their page', async (t) => {
    const site: PageResponder = (url) => ({
      links: url.endsWith('/0') ? ['http://[/', 'http://a.test:99999/', '/1'] : [],
    })
    const { lines } = await collectLog(t, site, {})
    const dropped = lines.filter(({ event }) => event === 'link dropped')
    assert.deepEqual(
      dropped.map(({ level, fields }) => [level, fields.link, fields.page]),
      [
        ['debug', 'http://[/', 'http://a.test/0'],
        ['debug', 'http://a.test:99999/', 'http://a.test/0'],
      ],
    )
    assert.ok(dropped.every(({ fields }) => typeof fields.reason === 'string' && fields.crawl !== undefined))
  })

  it('logs once when a host is suspended, and once when it responds again', async (t) => {
    const { lines, progress } = await collectLog(t, silentBetween(500, 60_000), { perHost: 4 })
    assert.equal(progress.ledger.visited, PAGES)
    assert.deepEqual(eventsOf(lines), ['info host suspended', 'info host responds again'])
    const [aside, again] = lines.filter(({ level }) => level === 'info').map(({ fields }) => fields)
    assert.deepEqual([aside?.host, aside?.reason, aside?.failures], [HOST, 'connect_refused', 3])
    assert.match(String(aside?.until), /^1970-01-01T00:1\d:\d\d\.\d{3}Z$/)
    assert.equal(again?.host, HOST)
    assert.ok(Number(again?.silent_ms) > 55_000, `${again?.silent_ms}`)
  })

  it('warns once that a host is given up, with the reason and until when', async (t) => {
    const { lines, tookMs, startedAt } = await collectLog(t, silentBetween(500, Number.POSITIVE_INFINITY), {
      perHost: 4,
    })
    assert.deepEqual(eventsOf(lines), ['info host suspended', 'warn host given up'])
    const fields = lines.find(({ event }) => event === 'host given up')?.fields
    assert.deepEqual([fields?.host, fields?.reason], [HOST, 'connect_refused'])
    assert.ok(Date.parse(String(fields?.until)) > startedAt + tookMs)
    assert.ok(Number(fields?.silent_ms) >= POLITE.hostPatienceMs)
    const ended = lines.filter((line) => line.event === 'url failed')
    assert.ok(ended.some((line) => line.fields.reason === 'host_unresponsive'))
  })

  for (const [seconds, event] of [
    ['30', []],
    ['90', ['info host refuses']],
    ['7200', ['info host refuses']],
  ] as const) {
    it(`reports a Retry-After of ${seconds} s as ${event[0] ?? 'nothing'}, however many requests get it`, async (t) => {
      const page = makeTreeSite(PAGES)
      const refuses: PageResponder = (url, now) =>
        now >= 50 && now < 1500 ? { status: 429, retryAfter: seconds, latencyMs: 200 } : page(url)
      const { lines } = await collectLog(t, refuses, { perHost: 4, delayMs: 20, retries: 5, seeds: SEEDS })
      assert.ok(lines.filter(({ fields }) => fields.http_status === 429 && fields.url !== undefined).length > 1)
      assert.deepEqual(eventsOf(lines), event)
      const line = lines.find(({ level }) => level !== 'debug')
      if (line !== undefined) assert.deepEqual([line.fields.reason, line.fields.http_status], ['retry_after', 429])
    })
  }

  it('warns of a trap once, with its pattern and reason', async (t) => {
    const simulatedSite = blog(3)
    const trap = calendar(simulatedSite, 3)
    simulatedSite.link('/', trap.entrance)
    const pageResponder: PageResponder = (url) => {
      const page =
        simulatedSite.findPage(url.slice('http://a.test'.length)) ?? trap.findPage(url.slice('http://a.test'.length))
      if (page === null) return { status: 404 }
      return { body: [...page.text.split('\n').map((line) => `<p>${line}`), ...page.links.map(anchor)].join('\n') }
    }
    const { lines, rows } = await collectLog(t, pageResponder, { traps: true, seeds: ['http://a.test/'] })
    const found = lines.filter(({ event }) => event === 'trap found')
    const patterns = found.map(({ fields }) => String(fields.pattern))
    assert.ok(found.length > 0 && new Set(patterns).size === found.length, patterns.join(' '))
    assert.ok(found.every(({ level, fields }) => level === 'warn' && fields.host === HOST))
    assert.ok(found.every(({ fields }) => Number(fields.fruitless) > 0 && fields.reason === 'repeats_itself'))
    const reasons = new Set(rows.map(({ reason }) => reason).filter((reason) => reason?.startsWith('trap:')))
    assert.deepEqual(new Set(patterns.map((pattern) => `trap:${pattern}`)).intersection(reasons), reasons)
  })

  it('warns of a page that cannot be read because of a defect', async (t) => {
    const lines: Line[] = []
    const log = createLog((level, event, logFields) => lines.push({ level, event, fields: logFields }))
    // The document reader fails in this test.
    const pageResponder: PageResponder = () => ({ contentType: 'application/pdf', body: '%PDF-1.7\n' })
    await assert.rejects(simulateCrawl(t, pageResponder, { ...POLITE, log }))
    assert.deepEqual(eventsOf(lines), ['warn page not read'])
    const [{ fields } = { fields: {} as LogFields }] = lines
    assert.deepEqual([fields.url, fields.host, fields.message], ['http://a.test/0', HOST, 'there are no documents'])
    assert.match(String(fields['stack']), /there are no documents\n +at /)
  })
})

function anchor(link: string): string {
  return `<a href="${link.replaceAll('&', '&amp;')}"></a>`
}

// Documents that take long to read, in virtual time: pages continue, the backlog is bounded, and a stop loses nothing.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { CrawlLoop } from '../../src/engine/crawl/loop/crawl-loop.ts'
import {
  type DocumentReaders,
  MAX_WAITING_BYTES,
  MAX_WAITING_DOCUMENTS,
} from '../../src/engine/crawl/visit/document-queue.ts'
import { type ExtractedContent, NO_CONTENT } from '../../src/engine/media/content-type.ts'
import type { DocumentRequest } from '../../src/engine/media/document-types.ts'
import type { ManualClock } from '../../src/lib/testing/manual-clock.ts'
import { type PageResponder, simulateCrawl } from './testing/simulated-crawl.ts'

const READING_MS = 1000
const PAGES = 300
const DOCUMENTS = 200
const BODY = '%PDF-1.7\n'

/** Reads one document at a time, each with the same duration; each document links to a separate page. */
class VirtualReaders implements DocumentReaders {
  readonly #clock: ManualClock
  #freeAt = 0
  #documents = 0
  #bytes = 0
  peakDocuments = 0
  peakBytes = 0
  readonly read = ({ url, body }: DocumentRequest): Promise<ExtractedContent> => {
    this.#change(1, body.length)
    this.#freeAt = Math.max(this.#freeAt, this.#clock.now()) + READING_MS
    return new Promise((resolve) => {
      this.#clock.after(this.#freeAt - this.#clock.now(), () => {
        this.#change(-1, body.length)
        resolve({ ...NO_CONTENT, links: [{ href: `${url}/from`, rel: '', text: '' }] })
      })
    })
  }

  constructor(clock: ManualClock) {
    this.#clock = clock
  }

  load() {
    return { documents: this.#documents, bytes: this.#bytes }
  }

  #change(sign: 1 | -1, bytes: number): void {
    this.#documents += sign
    this.#bytes += sign * bytes
    this.peakDocuments = Math.max(this.peakDocuments, this.#documents)
    this.peakBytes = Math.max(this.peakBytes, this.#bytes)
  }
}

/** A start page that lists the documents first, then the pages. */
function site(documentName: (n: number) => string, body = BODY): PageResponder {
  const names = Array.from({ length: DOCUMENTS }, (_, n) => documentName(n))
  const pages = Array.from({ length: PAGES }, (_, n) => `/page/${n}`)
  const documents = new Set(names)
  return (url) => {
    const { pathname, search } = new URL(url)
    if (pathname === '/0') return { links: [...names, ...pages] }
    return documents.has(pathname + search) ? { contentType: 'application/pdf', body } : {}
  }
}

async function crawlSite(
  t: Parameters<typeof simulateCrawl>[0],
  pageResponder: PageResponder,
  changes: Parameters<typeof simulateCrawl>[2] = {},
) {
  const opened: VirtualReaders[] = []
  const readers = (clock: ManualClock) => {
    const readers = new VirtualReaders(clock)
    opened.push(readers)
    return readers
  }
  const done = await simulateCrawl(t, pageResponder, { delayMs: 0, perHost: 16, ...changes, readers })
  const [used] = opened
  assert.ok(used !== undefined)
  return { ...done, readers: used }
}

describe('documents', () => {
  it('do not delay pages, whatever the backlog, and are all read once', async (t) => {
    const { web, rows, readers, startedAt, tookMs } = await crawlSite(
      t,
      site((n) => `/${n}.pdf`),
    )
    const lastPageAt = Math.max(...web.requests.filter(({ url }) => /\/page\/\d+$/.test(url)).map(({ at }) => at))
    // Read before the pages, the documents would take 200 s.
    assert.ok(lastPageAt - startedAt < 20 * READING_MS, `${lastPageAt - startedAt} ms`)
    assert.equal(rows.filter(({ state }) => state === 'visited').length, 1 + PAGES + 2 * DOCUMENTS)
    assert.deepEqual(
      rows.filter(({ attempts }) => attempts !== 1).map(({ url }) => url),
      [],
    )
    assert.ok(readers.peakDocuments <= MAX_WAITING_DOCUMENTS, String(readers.peakDocuments))
    assert.equal(web.requests.filter(({ url }) => url.endsWith('.pdf')).length, DOCUMENTS)
    // The readers are never idle for long.
    assert.ok(tookMs < 1.2 * DOCUMENTS * READING_MS, `${tookMs} ms`)
  })

  it('whose URLs do not reveal their type wait too, at the cost of few requests', async (t) => {
    const { web, rows, readers, startedAt } = await crawlSite(
      t,
      site((n) => `/download?id=${n}`),
    )
    const lastPageAt = Math.max(...web.requests.filter(({ url }) => /\/page\/\d+$/.test(url)).map(({ at }) => at))
    assert.ok(lastPageAt - startedAt < 20 * READING_MS, `${lastPageAt - startedAt} ms`)
    assert.equal(rows.filter(({ state, attempts }) => state === 'visited' && attempts === 1).length, rows.length)
    assert.ok(readers.peakDocuments <= MAX_WAITING_DOCUMENTS, String(readers.peakDocuments))
    const requests = web.requests.filter(({ url }) => url.includes('download?id=') && !url.endsWith('/from')).length
    assert.ok(requests <= 2 * DOCUMENTS, String(requests))
  })

  it('wait within a limit of bytes', async (t) => {
    const large = BODY.padEnd(3 << 20)
    const { rows, readers } = await crawlSite(
      t,
      site((n) => `/${n}.pdf`, large),
    )
    assert.equal(rows.filter(({ state }) => state === 'visited').length, 1 + PAGES + 2 * DOCUMENTS)
    assert.ok(readers.peakBytes <= MAX_WAITING_BYTES, String(readers.peakBytes))
  })

  it('do not delay pages of a host with a gap', async (t) => {
    const { web, rows, startedAt } = await crawlSite(
      t,
      site((n) => `/${n}.pdf`),
      { delayMs: 10, perHost: 1 },
    )
    const lastPageAt = Math.max(...web.requests.filter(({ url }) => /\/page\/\d+$/.test(url)).map(({ at }) => at))
    assert.ok(lastPageAt - startedAt < 40 * READING_MS, `${lastPageAt - startedAt} ms`)
    assert.equal(rows.filter(({ state }) => state === 'visited').length, 1 + PAGES + 2 * DOCUMENTS)
  })

  it('that are unread when the crawl is stopped are requeued without an attempt', async (t) => {
    const stopAfterMs = 10 * READING_MS
    const stopSoon = ([loop]: CrawlLoop[], { clock }: { clock: ManualClock }) => {
      clock.after(stopAfterMs, () => loop?.stop())
    }
    const { rows, ends, tookMs } = await crawlSite(
      t,
      site((n) => `/${n}.pdf`),
      { onStart: stopSoon },
    )
    assert.deepEqual(ends, ['stopped'])
    assert.ok(tookMs <= stopAfterMs + 1000, `${tookMs} ms`)
    const unread = rows.filter(({ url, state }) => url.endsWith('.pdf') && state === 'queued')
    assert.ok(unread.length > DOCUMENTS / 2, String(unread.length))
    assert.deepEqual(new Set(unread.map(({ attempts }) => attempts)), new Set([0]))
  })

  it('are awaited when nothing else is left', async (t) => {
    const seen: Record<string, number>[] = []
    const sample = ([loop]: CrawlLoop[], { clock }: { clock: ManualClock }) => {
      const next = () => {
        loop?.monitor.samplePhases(0)
        seen.push({ ...loop?.monitor.phases })
        if (seen.length < 1000) clock.after(100, next)
      }
      clock.after(100, next)
    }
    await crawlSite(
      t,
      site((n) => `/${n}.pdf`),
      { onStart: sample },
    )
    const { documents = 0, ...others } = seen.at(-1) ?? {}
    assert.ok(documents > Math.max(0, ...Object.values(others)), JSON.stringify(seen.at(-1)))
  })
})

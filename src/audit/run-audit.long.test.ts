import assert from 'node:assert/strict'
import { it } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { systemClock } from '../lib/clock.ts'
import type { PageVersion } from '../ports/pages.ts'
import type { Edge, UrlRow } from '../ports/urls.ts'
import { RULES } from './rules.ts'
import { type AuditDependencies, runAudit } from './run-audit.ts'
import { EXAMPLE_ROW } from './testing/example-row.ts'

const URLS = 100_000
const LINKS = 30
const MIB = 2 ** 20

const urlOf = (id: number) => `https://www.example.com/catalogue/department-${id % 97}/product-${id}.html`

async function* rows(): AsyncGenerator<UrlRow> {
  for (let id = 1; id <= URLS; id++) {
    const isBroken = id % 20 === 0
    const outcome = isBroken ? { state: 'not_found' as const, httpStatus: 404 } : {}
    const title = `Product ${id % 5000} of the catalogue`
    const contentHash = (id % 90_000).toString(16).padStart(64, '0')
    yield { ...EXAMPLE_ROW, id, url: urlOf(id), title, contentHash, ...outcome }
  }
}

async function* edges(): AsyncGenerator<Edge> {
  for (let from = 1; from <= URLS; from++) {
    for (let i = 0; i < LINKS; i++) yield { from, to: ((from * 7919 + i * 104_729) % URLS) + 1 }
  }
}

async function* versions(): AsyncGenerator<PageVersion> {
  for (let id = 1; id <= URLS; id++) {
    const position = { segment: 's', offset: id, length: 1 }
    const fingerprint = String((BigInt(id) * 0x9e3779b97f4a7c15n) & ((1n << 56n) - 1n))
    yield {
      ...{ id, crawlId: 'c', url: urlOf(id), version: 1, visitedAt: 0, expiresAt: null, firstSeenAt: 0, changes: 0 },
      ...{ httpStatus: 200, contentType: 'text/html', contentLength: 10, contentHash: null, payloadDigest: null },
      ...{ title: null, redirectTo: null, canonical: null, noindex: false, fetchMs: 1, wireBytes: 1, charset: null },
      ...{ lang: null, description: `About ${id}`, keywords: null, words: 300, fingerprint, resembles: null },
      ...{ note: null, isArchived: true, record: position, payload: position, isDamaged: false, isRequisite: false },
    }
  }
}

const filler = '<p>Some words of a page, with <b>markup</b> and <img src=a.png> an image.</p>'.repeat(50)

async function readPage(offset: number) {
  const links = Array.from({ length: LINKS }, (_, i) => `<a href="${urlOf(offset + i)}">Product ${i}</a>`).join('')
  const payload = Buffer.from(`<!doctype html><title>x</title><h1>${offset}</h1>${links}${filler}`)
  const about = { url: urlOf(offset), fetchedAt: 0, ip: null, status: 200, isTruncated: false, sameAs: null }
  return { ...about, headers: [], payload, extracted: null }
}

it('100,000 URLs with 3 million links are audited in less than 200 MB', async () => {
  setFlagsFromString('--expose-gc')
  const collectGarbage: () => void = runInNewContext('gc')
  let peak = 0
  const usage = () => {
    const { heapUsed, external } = process.memoryUsage()
    return heapUsed + external
  }
  collectGarbage()
  const before = usage()
  const measure = async () => {
    collectGarbage()
    peak = Math.max(peak, usage() - before)
    return true
  }
  const crawl = { id: 'c', createdAt: 0, seeds: [] } as never
  const dependencies: AuditDependencies = {
    crawls: { progress: async () => ({ crawl, ledger: {} }) as never, list: async () => [] },
    urls: { rows, edges },
    pages: { find: async () => null, listByCrawl: versions },
    archive: { read: ({ offset }) => readPage(offset) },
    audits: { add: async () => true, report: measure },
    clock: systemClock,
    rules: RULES,
  }
  const startedAt = process.cpuUsage()
  const signal = new AbortController().signal
  const summary = await runAudit({ auditId: 1, crawlId: 'c', signal }, dependencies)
  const cpuSeconds = process.cpuUsage(startedAt).user / 1e6
  console.log(`${cpuSeconds.toFixed(1)} s of CPU, peak ${Math.round(peak / MIB)} MiB over the start`)
  assert.equal(summary?.urls, URLS)
  assert.ok((summary?.counts['broken-links'] ?? 0) > 10_000)
  assert.ok(peak < 200 * MIB, `${Math.round(peak / MIB)} MiB`)
})

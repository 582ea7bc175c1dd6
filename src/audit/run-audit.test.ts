import assert from 'node:assert/strict'
import { it } from 'node:test'
import { AUDIT_STAGES, type AuditFinding, type AuditProgress, MAX_LISTED_FINDINGS } from '../ports/audits.ts'
import type { UrlRow } from '../ports/urls.ts'
import { missingTitles } from './rules/missing-titles.ts'
import { RULES } from './rules.ts'
import { type AuditDependencies, runAudit } from './run-audit.ts'
import { auditSite } from './testing/audited-site.ts'
import { EXAMPLE_ROW } from './testing/example-row.ts'

it('rules have different names, and texts that are sentences', () => {
  assert.equal(new Set(RULES.map(({ name }) => name)).size, RULES.length)
  for (const { name, title, why, fix } of RULES) {
    assert.match(name, /^[a-z0-9-]+$/)
    assert.ok(!title.endsWith('.'), title)
    for (const text of [why, fix]) assert.match(text, /^[A-Z].*\.$/, text)
  }
  const order = RULES.map(({ severity }) => ['error', 'warning', 'notice'].indexOf(severity))
  assert.deepEqual(order, order.toSorted(), 'the worst come first')
})

it('pages that cannot be read are counted, and others are examined', async () => {
  const { summary } = await auditSite(missingTitles, {
    '/': '<a href=/a>a</a><a href=/b>b</a>',
    '/a': { html: 'a', isUnreadable: true },
    '/b': { html: 'b', isArchived: false },
  })
  assert.deepEqual([summary.urls, summary.pages, summary.unreadPages], [3, 1, 1])
  assert.deepEqual(summary.counts, { 'missing-titles': 3 })
})

it('no rule passes if no page was visited', async () => {
  for (const page of [{ problem: 'connection_refused' }, { status: 404 }]) {
    const { summary } = await auditSite(missingTitles, { '/': page, '/sitemap.xml': { lists: [] } })
    assert.deepEqual(summary.skipped, { 'missing-titles': 'nothing_visited' })
  }
})

it('URLs that the crawl has not visited yet are counted, but not those that wait for a revisit', async () => {
  const { dependencies } = manyRows(1)
  async function* rows(): AsyncGenerator<UrlRow> {
    yield { ...EXAMPLE_ROW, id: 1, url: 'http://a.test/1' }
    yield { ...EXAMPLE_ROW, id: 2, url: 'http://a.test/2', state: 'queued', visitedAt: null }
    yield { ...EXAMPLE_ROW, id: 3, url: 'http://a.test/3', state: 'in_progress', visitedAt: null }
    yield { ...EXAMPLE_ROW, id: 4, url: 'http://a.test/4', state: 'queued', visitedAt: 5 }
  }
  const signal = new AbortController().signal
  const urls = { ...dependencies.urls, rows }
  const summary = await runAudit({ auditId: 1, crawlId: 'c', signal }, { ...dependencies, urls })
  assert.deepEqual([summary?.openUrls, summary?.crawlStatus, summary?.skipped], [2, 'running', {}])
})

/** A crawl of pages without titles, each a second of the clock. */
function manyRows(count: number): {
  dependencies: AuditDependencies
  chunks: AuditFinding[][]
  reports: AuditProgress[]
} {
  const chunks: AuditFinding[][] = []
  const reports: AuditProgress[] = []
  let now = 0
  async function* rows(): AsyncGenerator<UrlRow> {
    for (let id = 1; id <= count; id++) {
      now += 1000
      yield { ...EXAMPLE_ROW, id, url: `http://a.test/${id}` }
    }
  }
  async function* nothing(): AsyncGenerator<never> {
    yield* []
  }
  const crawl = { id: 'c', createdAt: 0, seeds: [], status: 'running' } as never
  const dependencies: AuditDependencies = {
    crawls: { progress: async () => ({ crawl, ledger: {} }) as never, list: async () => [] },
    urls: { rows, edges: nothing },
    pages: { find: async () => null, listByCrawl: nothing },
    archive: { read: () => assert.fail('nothing is archived') },
    audits: {
      async add(_id, _rule, chunk, findings) {
        assert.equal(chunk, chunks.length)
        chunks.push([...findings])
        return true
      },
      async report(_id, progress) {
        reports.push({ ...progress })
        return reports.length < 100_000
      },
    },
    clock: { now: () => now, after: () => () => undefined },
    rules: [missingTitles],
  }
  return { dependencies, chunks, reports }
}

it('all findings are counted, a bounded number is listed, and progress is reported', async () => {
  const { dependencies, chunks, reports } = manyRows(MAX_LISTED_FINDINGS + 500)
  const signal = new AbortController().signal
  const summary = await runAudit({ auditId: 1, crawlId: 'c', signal }, dependencies)
  assert.equal(summary?.counts['missing-titles'], MAX_LISTED_FINDINGS + 500)
  assert.equal(chunks.flat().length, MAX_LISTED_FINDINGS)
  assert.deepEqual([...new Set(reports.map(({ stage }) => stage))], [AUDIT_STAGES[0], AUDIT_STAGES[3]])
})

it('an audit stops if the store or its process says so', async () => {
  const { dependencies } = manyRows(2000)
  const stopped = { ...dependencies, audits: { ...dependencies.audits, report: async () => false } }
  const signal = new AbortController().signal
  assert.equal(await runAudit({ auditId: 1, crawlId: 'c', signal }, stopped), null)
  assert.equal(await runAudit({ auditId: 1, crawlId: 'c', signal: AbortSignal.abort() }, dependencies), null)
})

import assert from 'node:assert/strict'
import { after, it } from 'node:test'
import { MAX_LISTED_FINDINGS } from '../../ports/audits.ts'
import { hasCode } from '../testing/has-code.ts'
import { startTestApi } from '../testing/test-api.ts'

const api = await startTestApi()
after(() => api.close())
const crawl = await api.crawlSite(30)
const params = { crawl_id: crawl.id }
const reader = api.clientFor('read')
const client = api.clientFor('crawl')

it('a crawl without an audit lists the rules, and has no findings', async () => {
  const audit = await reader.getAudit({ params })
  assert.deepEqual([audit.run, audit.finished_at], [null, null])
  assert.ok(audit.rules.every(({ count, listed }) => count === null && listed === 0))
  await assert.rejects(
    reader.listAuditFindings({ params, query: { rule: 'broken-links' } }),
    hasCode('AUDIT_NOT_FOUND'),
  )
  await assert.rejects(reader.exportAudit({ params, query: {} }), hasCode('AUDIT_NOT_FOUND'))
  await assert.rejects(reader.getAudit({ params: { crawl_id: 'none' } }), hasCode('CRAWL_NOT_FOUND'))
})

it('an audit runs on its own thread, and its findings are read page by page', async () => {
  await assert.rejects(reader.startAudit({ params }), hasCode('SCOPE_MISSING'))
  let audit = await client.startAudit({ params })
  while (audit.run !== null) {
    assert.ok(['waiting', 'running'].includes(audit.run.state), audit.run.state)
    await new Promise((resolve) => setTimeout(resolve, 20))
    audit = await client.getAudit({ params })
  }
  assert.ok(audit.finished_at !== null && audit.urls > 0)
  const found = audit.rules.find(({ count }) => count !== null && count > 2)
  assert.ok(found !== undefined, JSON.stringify(audit.rules))
  const rule = found.rule
  const all = await reader.listAuditFindings({ params, query: { rule, limit: 1000 } })
  assert.equal(all.items.length, Math.min(found.count ?? 0, MAX_LISTED_FINDINGS))
  const first = await reader.listAuditFindings({ params, query: { rule, limit: 2 } })
  const second = await reader.listAuditFindings({ params, query: { rule, limit: 1, cursor: first.next_cursor ?? '' } })
  assert.deepEqual([...first.items, ...second.items], all.items.slice(0, 3))
  const csv = await (await reader.exportAudit({ params, query: { rule } })).text()
  assert.equal(csv.trim().split('\r\n').length, all.items.length + 1)
  const none = await reader.listAuditFindings({ params, query: { rule: 'no-such-rule' } })
  assert.deepEqual([none.items, none.next_cursor], [[], null])
})

it('cancelling without an audit changes nothing', async () => {
  assert.equal((await client.cancelAudit({ params })).run, null)
})

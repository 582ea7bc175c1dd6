import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createLog, type LogLevel } from '../../../lib/log.ts'
import type { LeasedUrl } from '../../../ports/leases.ts'
import type { VisitReport } from '../../../ports/visits.ts'
import { EMPTY_RESPONSE } from '../../fetch/testing/empty-response.ts'
import { CrawlLog } from './crawl-log.ts'

const CONTEXT = { crawl: 'c1', worker: 'w1' }
const URL: LeasedUrl = {
  id: 1,
  url: 'http://a.test/',
  kind: 'page',
  depth: 0,
  hops: 0,
  attempts: 1,
  dueAt: 0,
  ancestry: null,
  lastVisit: null,
}
const REPORT: VisitReport = {
  token: 1,
  urlId: 1,
  facts: null,
  page: null,
  found: [],
  linkCount: 0,
  traps: null,
  freshness: null,
  outcome: { state: 'failed', reason: 'host_unresponsive' },
}

function open(lowest: LogLevel = 'debug') {
  const lines: unknown[] = []
  const log = createLog(
    (level, event, logFields) => lines.push([level, event, logFields]),
    (level) => level !== 'debug' || lowest === 'debug',
  )
  return { crawlLog: new CrawlLog(log, CONTEXT), lines }
}

describe('CrawlLog', () => {
  it('logs a visit without a request, without an attempt', () => {
    const { crawlLog, lines } = open()
    crawlLog.logVisit(URL, 'a.test', REPORT, null)
    const nothing = { detail: null, http_status: null, ms: null, attempt: null }
    const fields = { host: 'a.test', url: 'http://a.test/', url_id: 1, state: 'failed', reason: 'host_unresponsive' }
    assert.deepEqual(lines, [['debug', 'url failed', { ...CONTEXT, ...fields, ...nothing }]])
  })

  it('does not touch the visit while debug lines are off', () => {
    const { crawlLog, lines } = open('info')
    const untouched = new Proxy(EMPTY_RESPONSE, { get: () => assert.fail('the result was read') })
    crawlLog.logVisit(URL, 'a.test', REPORT, untouched)
    crawlLog.logRejectedLink({ reason: 'url_malformed', text: 'http://[', pageUrl: 'http://a.test/' })
    assert.deepEqual(lines, [])
  })

  it('redacts the password of a rejected link before cutting it', () => {
    const { crawlLog, lines } = open()
    const text = `http://me:${'sesame'.repeat(100)}@[a.test/${'x'.repeat(300)}`
    crawlLog.logRejectedLink({ reason: 'url_malformed', text, pageUrl: 'http://a.test/' })
    assert.doesNotMatch(JSON.stringify(lines), /sesame/)
    assert.match(JSON.stringify(lines), /"link":"http:\/\/\*\*\*@\[a\.test\/x{150,200}"/)
  })
})

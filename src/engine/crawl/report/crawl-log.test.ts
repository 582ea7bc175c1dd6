import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createLog, type LogLevel } from '../../../lib/log.ts'
import type { LeasedUrl, VisitReport } from '../../../ports/frontier.ts'
import { EMPTY_RESPONSE } from '../../fetch/testing/empty-response.ts'
import { CrawlLog } from './crawl-log.ts'

const ABOUT = { crawl: 'c1', worker: 'w1' }
const URL: LeasedUrl = {
  id: 1,
  url: 'http://a.test/',
  kind: 'page',
  depth: 0,
  hops: 0,
  attempts: 1,
  dueAt: 0,
  ancestry: null,
}
const REPORT: VisitReport = {
  ...{ token: 1, urlId: 1, facts: null, page: null, found: [], linkCount: 0, traps: null },
  outcome: { state: 'failed', reason: 'host_unresponsive' },
}

function open(lowest: LogLevel = 'debug') {
  const lines: unknown[] = []
  const log = createLog(
    (level, event, logFields) => lines.push([level, event, logFields]),
    (level) => level !== 'debug' || lowest === 'debug',
  )
  return { journal: new CrawlLog(log, ABOUT), lines }
}

describe('the journal', () => {
  it('tells of a visit without a request, and then of no attempt', () => {
    const { journal, lines } = open()
    journal.logVisit(URL, 'a.test', REPORT, null)
    const nothing = { detail: null, http_status: null, ms: null, attempt: null }
    const fields = { host: 'a.test', url: 'http://a.test/', state: 'failed', reason: 'host_unresponsive' }
    assert.deepEqual(lines, [['debug', 'url failed', { ...ABOUT, ...fields, ...nothing }]])
  })

  it('looks at nothing of a visit when nobody wants to hear of it', () => {
    const { journal, lines } = open('info')
    const untouched = new Proxy(EMPTY_RESPONSE, { get: () => assert.fail('it was looked at') })
    journal.logVisit(URL, 'a.test', REPORT, untouched)
    journal.logRejectedLink({ reason: 'url_malformed', text: 'http://[', pageUrl: 'http://a.test/' })
    assert.deepEqual(lines, [])
  })

  it('cuts a dropped link only when it has no password in it any more', () => {
    const { journal, lines } = open()
    const text = `http://me:${'sesame'.repeat(100)}@[a.test/${'x'.repeat(300)}`
    journal.logRejectedLink({ reason: 'url_malformed', text, pageUrl: 'http://a.test/' })
    assert.doesNotMatch(JSON.stringify(lines), /sesame/)
    assert.match(JSON.stringify(lines), /"link":"http:\/\/\*\*\*@\[a\.test\/x{150,200}"/)
  })
})

import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { FetchProblem } from '../../fetch/fetch-result.ts'
import { EMPTY_RESPONSE } from '../../fetch/testing/empty-response.ts'
import { RequestCounts } from './request-counts.ts'

it('requests that never reached the host are not counted, and those sent again are counted each time', () => {
  const requestCounts = new RequestCounts()
  const failure = (problem: FetchProblem) => {
    return { kind: 'failure', problem, detail: '', wireBytes: 0, fetchMs: 1, ip: null, cname: null } as const
  }
  for (const problem of ['address_blocked', 'port_blocked', 'dns_failed', 'proxy_failed'] as const)
    requestCounts.add('a.test', 'sent', failure(problem))
  assert.deepEqual(requestCounts.take(), {})
  requestCounts.add('a.test', 'sent', failure('timeout'))
  requestCounts.add('a.test', 'sent', EMPTY_RESPONSE)
  requestCounts.add('a.test', 'rendered', EMPTY_RESPONSE)
  assert.deepEqual(requestCounts.take(), { 'a.test': { sent: 2, rendered: 1 } })
  requestCounts.add('a.test', 'sent', { ...EMPTY_RESPONSE, resent: { at: 1, sent: 2 } })
  requestCounts.add('a.test', 'sent', { ...failure('proxy_failed'), resent: { at: 1, sent: 1 } })
  assert.deepEqual(requestCounts.take(), { 'a.test': { sent: 3, rendered: 0 } })
})

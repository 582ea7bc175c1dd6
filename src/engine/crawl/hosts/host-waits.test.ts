import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HEALTHY_HOST } from '../../../ports/leases.ts'
import { Throttle } from '../../politeness/throttle.ts'
import { type HostWait, HostWaits, mergeWaits } from './host-waits.ts'
import { LeasedHost } from './leased-host.ts'

const PACE = {
  delayMs: 9000,
  jitterMs: 0,
  perHost: 2,
  cooldownMs: 0,
  cooldownMaxMs: null,
  hostPatienceMs: 60_000,
  retries: 2,
}
const NEW_URL = { depth: 0, hops: 0, attempts: 0, dueAt: 0, ancestry: null, lastVisit: null }
const throttle = new Throttle({ rates: [], perIp: 1 })

test('hosts are counted by reason, and the one that waits longest is named', () => {
  const hostWaits = new HostWaits()
  hostWaits.noteReleased('a', 'gap', 1200)
  hostWaits.noteReleased('b', 'gap', 1700)
  hostWaits.noteReleased('c', 'crawl_delay', 9000)
  assert.deepEqual(hostWaits.list([], throttle, 1000), [
    { reason: 'crawl_delay', hosts: 1, host: 'c', leftMs: 8000 },
    { reason: 'gap', hosts: 2, host: 'b', leftMs: 700 },
  ])
})

test('a wait is listed for a second after its end, then forgotten', () => {
  const hostWaits = new HostWaits()
  hostWaits.noteReleased('a', 'gap', 1000)
  const still: HostWait[] = [{ reason: 'gap', hosts: 1, host: 'a', leftMs: 0 }]
  assert.deepEqual(hostWaits.list([], throttle, 1999), still)
  assert.deepEqual(hostWaits.list([], throttle, 2000), [])
  assert.deepEqual(hostWaits.list([], throttle, 1000), [])
})

function leaseHost(urlCount: number, nextAt = 0): LeasedHost {
  const urls = Array.from({ length: urlCount }, (_, id) => ({
    id,
    url: `http://a.test/${id}`,
    kind: 'page' as const,
    ...NEW_URL,
  }))
  const known = { token: 1, hostId: 1, host: 'a.test', slots: 2, nextAt, responseMs: 20, gapMs: 9000 }
  const lease = { ...known, concurrencyLimit: 0, health: HEALTHY_HOST, policy: null, urls }
  return new LeasedHost(lease, PACE, 1000, () => 0)
}

test('a host whose document is being read waits for its gap first, then for the document reader', () => {
  const leasedHost = leaseHost(0, 10_000)
  leasedHost.processing = 1
  leasedHost.documents = 1
  const inGap: HostWait[] = [{ reason: 'gap', hosts: 1, host: 'a.test', leftMs: 4000 }]
  assert.deepEqual(new HostWaits().list([leasedHost], throttle, 6000), inGap)
  const reading: HostWait[] = [{ reason: 'documents', hosts: 1, host: 'a.test', leftMs: 0 }]
  assert.deepEqual(new HostWaits().list([leasedHost], throttle, 10_000), reading)
})

test('a host that does not respond is listed as slow, not as waiting for its gap', () => {
  const leasedHost = leaseHost(2)
  leasedHost.takeUrl()
  leasedHost.beginRequest(1000)
  const inGap: HostWait[] = [{ reason: 'gap', hosts: 1, host: 'a.test', leftMs: 7001 }]
  assert.deepEqual(new HostWaits().list([leasedHost], throttle, 2999), inGap)
  const hanging: HostWait[] = [{ reason: 'slow_answer', hosts: 1, host: 'a.test', leftMs: 0 }]
  assert.deepEqual(new HostWaits().list([leasedHost], throttle, 3000), hanging)
})

test('at most a thousand hosts are remembered', () => {
  const hostWaits = new HostWaits()
  for (let i = 0; i < 5000; i++) hostWaits.noteReleased(`host${i}`, 'gap', 5000)
  assert.equal(hostWaits.list([], throttle, 1000)[0]?.hosts, 1000)
})

test('the waits of several threads add up', () => {
  const one: HostWait[] = [{ reason: 'gap', hosts: 2, host: 'a', leftMs: 100 }]
  const other: HostWait[] = [
    { reason: 'cooldown', hosts: 1, host: 'b', leftMs: 5 },
    { reason: 'gap', hosts: 3, host: 'c', leftMs: 200 },
  ]
  assert.deepEqual(mergeWaits([one, other, []]), [
    { reason: 'cooldown', hosts: 1, host: 'b', leftMs: 5 },
    { reason: 'gap', hosts: 5, host: 'c', leftMs: 200 },
  ])
})

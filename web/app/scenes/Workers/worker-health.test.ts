import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeHealth, sortWorkers, type WorkerInfo } from './worker-health.ts'

function worker(more: Partial<WorkerInfo>): WorkerInfo {
  return {
    worker_id: 'w1',
    name: 'machine:1',
    version: '0.1.0',
    state: 'working',
    note: null,
    started_at: '2026-01-01T00:00:00Z',
    seen_at: '2026-01-01T00:00:00Z',
    cpu_percent: 10,
    rss_bytes: 1,
    loop_delay_ms: 5,
    requests: 0,
    answers: 0,
    bytes: 0,
    in_flight: 0,
    last_answer_at: null,
    recent_requests: 0,
    recent_failures: 0,
    held: null,
    ...more,
  }
}

test('a working worker is healthy unless it is on hold, failing or overloaded', () => {
  assert.equal(describeHealth(worker({})).label, 'Working')
  assert.equal(describeHealth(worker({ held: 'low_disk' })).label, 'On hold')
  assert.match(describeHealth(worker({ held: 'low_disk' })).detail ?? '', /the disk is almost full/)
  assert.equal(describeHealth(worker({ recent_requests: 100, recent_failures: 60 })).label, 'Failing')
  assert.equal(describeHealth(worker({ recent_requests: 3, recent_failures: 3 })).label, 'Working')
  assert.equal(describeHealth(worker({ loop_delay_ms: 900 })).label, 'Overloaded')
})

test('the last figures of a worker that is gone do not count', () => {
  assert.equal(describeHealth(worker({ state: 'lost', loop_delay_ms: 900 })).label, 'Lost')
  assert.equal(describeHealth(worker({ state: 'left', held: 'x' })).label, 'Left')
})

test('active workers come first, newest first', () => {
  const order = sortWorkers([
    worker({ worker_id: 'a', state: 'left' }),
    worker({ worker_id: 'b', started_at: '2026-01-01T00:00:00Z' }),
    worker({ worker_id: 'c', started_at: '2026-01-02T00:00:00Z' }),
    worker({ worker_id: 'd', state: 'lost' }),
  ])
  assert.deepEqual(
    order.map(({ worker_id }) => worker_id),
    ['c', 'b', 'd', 'a'],
  )
})

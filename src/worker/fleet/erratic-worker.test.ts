import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { WorkerFigures, WorkerRow, WorkerState } from '../../ports/workers.ts'
import { findErraticWorker } from './erratic-worker.ts'

function row(id: string, figures: Partial<WorkerFigures>, state: WorkerState = 'working'): WorkerRow {
  const none = {
    cpuPercent: 0,
    rssBytes: 0,
    loopDelayMs: 0,
    requests: 0,
    answers: 0,
    bytes: 0,
    inFlight: 0,
    held: null,
    crawls: [],
  }
  const all = { ...none, lastAnswerAt: null, recentRequests: 0, recentFailures: 0, ...figures }
  return { id, name: id, version: '1', address: null, startedAt: 0, seenAt: 0, state, note: null, figures: all }
}

const good = (id: string) => row(id, { recentRequests: 100, recentFailures: 2 })

describe('findErraticWorker', () => {
  it('finds a worker whose requests fail while those of the others do not', () => {
    const bad = row('bad', { recentRequests: 50, recentFailures: 40 })
    assert.deepEqual(findErraticWorker([good('a'), bad, good('b')]), {
      id: 'bad',
      why: '80% of its requests got no response, compared with 2% on the other workers',
    })
  })

  it('finds none if all fail, because then it is the network', () => {
    const failing = (id: string) => row(id, { recentRequests: 50, recentFailures: 40 })
    assert.equal(findErraticWorker([failing('a'), failing('b')]), null)
  })

  it('finds none if there is a single worker, or if there are few requests', () => {
    assert.equal(findErraticWorker([row('a', { recentRequests: 50, recentFailures: 50 })]), null)
    assert.equal(findErraticWorker([good('a'), row('b', { recentRequests: 5, recentFailures: 5 })]), null)
  })

  it('does not compare with workers that have been silent since', () => {
    const bad = { ...row('bad', { recentRequests: 50, recentFailures: 40 }), seenAt: 10_000 }
    assert.equal(findErraticWorker([good('dead'), bad]), null)
  })

  it('ignores a worker that is already draining', () => {
    const bad = row('bad', { recentRequests: 50, recentFailures: 40 }, 'draining')
    assert.equal(findErraticWorker([good('a'), bad]), null)
  })

  it('finds a worker that is starved while the others are not', () => {
    const slow = row('slow', { loopDelayMs: 9000 })
    assert.deepEqual(findErraticWorker([good('a'), slow]), {
      id: 'slow',
      why: "its event loop is 9 s late, the other workers' are not",
    })
    assert.equal(findErraticWorker([row('a', { loopDelayMs: 8000 }), slow]), null)
  })
})

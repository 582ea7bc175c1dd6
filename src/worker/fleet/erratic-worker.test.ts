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

describe('findErratic', () => {
  it('names a worker whose requests fail while those of the others do not', () => {
    const bad = row('bad', { recentRequests: 50, recentFailures: 40 })
    assert.deepEqual(findErraticWorker([good('a'), bad, good('b')]), {
      id: 'bad',
      why: '80% of its requests got no answer, 2% of those of the others',
    })
  })

  it('says nothing where all fail, for then it is the web', () => {
    const failing = (id: string) => row(id, { recentRequests: 50, recentFailures: 40 })
    assert.equal(findErraticWorker([failing('a'), failing('b')]), null)
  })

  it('says nothing of a worker alone, or of few requests', () => {
    assert.equal(findErraticWorker([row('a', { recentRequests: 50, recentFailures: 50 })]), null)
    assert.equal(findErraticWorker([good('a'), row('b', { recentRequests: 5, recentFailures: 5 })]), null)
  })

  it('compares with nobody who has been silent since', () => {
    const bad = { ...row('bad', { recentRequests: 50, recentFailures: 40 }), seenAt: 10_000 }
    assert.equal(findErraticWorker([good('dead'), bad]), null)
  })

  it('leaves alone who is leaving already', () => {
    const bad = row('bad', { recentRequests: 50, recentFailures: 40 }, 'draining')
    assert.equal(findErraticWorker([good('a'), bad]), null)
  })

  it('names a worker that is starved while the others are not', () => {
    const slow = row('slow', { loopDelayMs: 9000 })
    assert.deepEqual(findErraticWorker([good('a'), slow]), { id: 'slow', why: 'it is late by 9 s, the others are not' })
    assert.equal(findErraticWorker([row('a', { loopDelayMs: 8000 }), slow]), null)
  })
})

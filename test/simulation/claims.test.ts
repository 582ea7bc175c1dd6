// Many workers on many hosts, in virtual time. `npm run simulate -- --hosts 1000,1000000` has the figures of more.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { makeTestStore as makePostgresStore } from '../../src/store/testing/postgres-test-store.ts'
import { makeTestStore as makeSqliteStore } from '../../src/store/testing/sqlite-test-store.ts'
import { isFairTo, simulateClaims } from './simulator/simulate-claims.ts'

const OPTIONS = { leaseMs: 30_000, random: Math.random }

describe('claims of many workers', () => {
  it('are fair to hosts and workers, and visit everything', async (t) => {
    const store = makeSqliteStore(OPTIONS)
    t.after(() => store.close())
    const figures = await simulateClaims(store, { hosts: 2000, workers: 100, maxVisits: 4000 })
    assert.equal(figures.visits, 4000)
    assert.ok(isFairTo(figures, 100), JSON.stringify(figures))
  })

  it('are fair on Postgres', async (t) => {
    const store = await makePostgresStore(OPTIONS)
    t.after(() => store.close())
    const figures = await simulateClaims(store, { hosts: 200, workers: 10, maxVisits: 400 })
    assert.equal(figures.visits, 400)
    assert.ok(isFairTo(figures, 10), JSON.stringify(figures))
  })
})

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { type FleetLoad, FleetSizing } from './fleet-sizing.ts'

/** Runs `checks` checks on a fleet that always has the wanted size. */
function follow(fleetSizing: FleetSizing, checks: number, load: Omit<FleetLoad, 'workers'>, workers: number): number {
  for (let i = 0; i < checks; i++) workers = fleetSizing.decideSize({ ...load, workers })
  return workers
}

describe('FleetSizing', () => {
  it('starts a worker when hosts are due in two checks, not in one', () => {
    const fleetSizing = new FleetSizing({ min: 1, max: 8 })
    assert.equal(fleetSizing.decideSize({ workers: 1, dueHosts: 5, cpuPercent: 90 }), 1)
    assert.equal(fleetSizing.decideSize({ workers: 1, dueHosts: 5, cpuPercent: 90 }), 2)
  })

  it('at most doubles at a time, no matter how many hosts are due', () => {
    assert.equal(follow(new FleetSizing({ min: 1, max: 100 }), 2, { dueHosts: 100_000, cpuPercent: 0 }, 3), 6)
  })

  it('shrinks one by one, and only after a quiet half minute', () => {
    const fleetSizing = new FleetSizing({ min: 1, max: 8 })
    assert.equal(follow(fleetSizing, 14, { dueHosts: 0, cpuPercent: 20 }, 4), 4)
    assert.equal(follow(fleetSizing, 1, { dueHosts: 0, cpuPercent: 20 }, 4), 3)
    assert.equal(follow(fleetSizing, 15, { dueHosts: 0, cpuPercent: 20 }, 3), 2)
  })

  it('does not shrink while the others would be too busy', () => {
    assert.equal(follow(new FleetSizing({ min: 1, max: 8 }), 100, { dueHosts: 0, cpuPercent: 150 }, 3), 3)
  })

  it('stays within its limits', () => {
    const load = fc.record({ dueHosts: fc.nat(10_000), cpuPercent: fc.nat(1000) })
    fc.assert(
      fc.property(fc.array(load, { maxLength: 100 }), fc.nat(20), (loads, first) => {
        const fleetSizing = new FleetSizing({ min: 2, max: 6 })
        let workers = first
        for (const each of loads) {
          workers = fleetSizing.decideSize({ ...each, workers })
          assert.ok(workers >= 2 && workers <= 6)
        }
      }),
    )
  })
})

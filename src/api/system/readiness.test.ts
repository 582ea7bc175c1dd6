import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { AppError, ERRORS } from '../../lib/errors.ts'
import type { WorkerRow } from '../../ports/workers.ts'
import { checkReadiness, type ReadinessDependencies } from './readiness.ts'

const GOOD: ReadinessDependencies = {
  workers: { list: async () => [{ state: 'working' } as WorkerRow] },
  damage: async () => null,
  freeBytes: async () => 100,
  minFreeBytes: 50,
  isStopping: () => false,
}

describe('a server', () => {
  it('is ready if the store responds and the disk has space', async () => {
    assert.deepEqual(await checkReadiness(GOOD), { ready: true, store: 'ok', disk: 'ok', workers: 'ok' })
  })

  it('is ready without workers, but reports it', async () => {
    const { ready, workers } = await checkReadiness({ ...GOOD, workers: { list: async () => [] } })
    assert.deepEqual([ready, workers], [true, 'no worker is running'])
  })

  it('is not ready if the store fails, the disk is full or it is stopping', async () => {
    const fail = () => Promise.reject(new AppError('STORE_AWAY', 'Postgres at db.internal cannot be reached.'))
    const store = await checkReadiness({ ...GOOD, workers: { list: fail } })
    assert.deepEqual([store.ready, store.store], [false, ERRORS.STORE_AWAY.help])
    const damage = async () => '/data/store.db is damaged.'
    const damaged = await checkReadiness({ ...GOOD, damage })
    assert.deepEqual([damaged.ready, damaged.store], [false, 'the store is damaged; see docs/guides/recovery.md'])
    const disk = await checkReadiness({ ...GOOD, freeBytes: async () => 10 })
    assert.deepEqual([disk.ready, disk.disk], [false, 'the disk has 10 bytes free, less than 50'])
    assert.equal((await checkReadiness({ ...GOOD, isStopping: () => true })).ready, false)
  })
})

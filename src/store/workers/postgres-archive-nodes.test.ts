import assert from 'node:assert/strict'
import { it } from 'node:test'
import { HEARTBEAT_TIMEOUT_MS } from '../../ports/workers.ts'
import { makeTestStore } from '../testing/postgres-test-store.ts'

it('archive nodes are known for as long as they announce themselves', async () => {
  const store = await makeTestStore({ leaseMs: 1000, random: Math.random })
  const node = { id: 'k1', name: 'k1 on a machine', address: 'http://k1.test' }
  await store.workers.announceArchiveNode(node)
  store.clock.advance(HEARTBEAT_TIMEOUT_MS - 1)
  assert.deepEqual(await store.workers.listArchiveNodes(), [node])
  await store.workers.announceArchiveNode({ ...node, address: 'http://k2.test' })
  store.clock.advance(HEARTBEAT_TIMEOUT_MS - 1)
  assert.deepEqual(await store.workers.listArchiveNodes(), [{ ...node, address: 'http://k2.test' }])
  store.clock.advance(1)
  assert.deepEqual(await store.workers.listArchiveNodes(), [])
  await store.close()
})

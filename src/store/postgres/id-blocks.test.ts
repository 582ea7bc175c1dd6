import assert from 'node:assert/strict'
import { it } from 'node:test'
import { testPool } from '../testing/test-pool.ts'
import { IdBlocks } from './id-blocks.ts'

it('no id is given twice by any process', async (t) => {
  const pool = await testPool(t)
  const processes = [new IdBlocks(pool), new IdBlocks(pool)]
  const ids: number[] = []
  const take = async (idBlocks: IdBlocks, count: number) => {
    const idBlock = await idBlocks.reserve('url', count)
    for (let i = 0; i < count; i++) ids.push(idBlock.next())
  }
  await Promise.all(processes.flatMap((idBlocks) => [3, 9_999, 25_000, 1].map((count) => take(idBlocks, count))))
  assert.equal(new Set(ids).size, ids.length)
})

it('reserved ids that were not used are used next, in order', async (t) => {
  const idBlocks = new IdBlocks(await testPool(t))
  const first = await idBlocks.reserve('page', 10)
  assert.deepEqual([first.next(), first.next()], [1, 2])
  first.returnUnused()
  const second = await idBlocks.reserve('page', 10)
  assert.deepEqual([second.next(), second.next()], [3, 4])
})

it('using more ids than were reserved is an error', async (t) => {
  const idBlock = await new IdBlocks(await testPool(t)).reserve('token', 1)
  idBlock.next()
  assert.throws(() => idBlock.next(), { code: 'INTERNAL' })
})

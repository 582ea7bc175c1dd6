import assert from 'node:assert/strict'
import { it } from 'node:test'
import { Blocks } from './blocks.ts'
import { testPool } from './test-pool.ts'

it('no id is given twice, by whichever process', async (t) => {
  const pool = await testPool(t)
  const processes = [new Blocks(pool), new Blocks(pool)]
  const ids: number[] = []
  const take = async (blocks: Blocks, count: number) => {
    const allotment = await blocks.take('url', count)
    for (let i = 0; i < count; i++) ids.push(allotment.next())
  }
  await Promise.all(processes.flatMap((blocks) => [3, 9_999, 25_000, 1].map((count) => take(blocks, count))))
  assert.equal(new Set(ids).size, ids.length)
})

it('ids that were set aside and not used serve the next, in order', async (t) => {
  const blocks = new Blocks(await testPool(t))
  const first = await blocks.take('page', 10)
  assert.deepEqual([first.next(), first.next()], [1, 2])
  first.giveBack()
  const second = await blocks.take('page', 10)
  assert.deepEqual([second.next(), second.next()], [3, 4])
})

it('more than was set aside is a defect', async (t) => {
  const allotment = await new Blocks(await testPool(t)).take('token', 1)
  allotment.next()
  assert.throws(() => allotment.next(), { code: 'INTERNAL' })
})

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ReadAhead } from './read-ahead.ts'

const MIB = 1024 * 1024

function openObject(size: number) {
  const content = Buffer.from(Uint8Array.from({ length: size }, (_, i) => (i * 7919) % 251))
  const requests: string[] = []
  const readAhead = new ReadAhead({
    async read(segment, offset, length) {
      requests.push(`${segment} ${offset}+${length}`)
      return content.subarray(offset, offset + length)
    },
  })
  const check = async (offset: number, length: number, segment = 'a') => {
    const bytes = await readAhead.read({ segment, offset, length })
    assert.ok(bytes.equals(content.subarray(offset, offset + length)), `${offset}+${length}`)
  }
  return { check, requests }
}

describe('reads of an object', () => {
  it('ask for nothing more if they are random', async () => {
    const { check, requests } = openObject(3 * MIB)
    for (const offset of [2_000_000, 5, 1_000_000, 100]) await check(offset, 10)
    assert.deepEqual(requests, ['a 2000000+10', 'a 5+10', 'a 1000000+10', 'a 100+10'])
  })

  it('are few if one record follows the other, also with others in between', async () => {
    const { check, requests } = openObject(3 * MIB)
    for (let offset = 0; offset + 500 <= 3 * MIB; offset += 1000) await check(offset, 500)
    assert.ok(requests.length <= 5, requests.join(', '))
  })

  it('of several segments in turn are few too', async () => {
    const { check, requests } = openObject(MIB)
    for (let offset = 0; offset + 1000 <= MIB; offset += 1000)
      for (const segment of ['a', 'b', 'c']) await check(offset, 1000, segment)
    assert.ok(requests.length <= 9, requests.join(', '))
  })

  it('end with the object, and larger records are not kept', async () => {
    const { check, requests } = openObject(2 * MIB)
    await check(0, 10)
    await check(10, MIB + 1)
    await check(2 * MIB - 5, 10)
    await check(10, 10)
    assert.deepEqual(requests, ['a 0+10', `a 10+${MIB + 1}`, `a ${2 * MIB - 5}+10`, 'a 10+10'])
  })
})

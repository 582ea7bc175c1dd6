import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { PageCache } from './cache.ts'
import type { ReadPage } from './read.ts'

function pageOf(bytes: number, expiresAt: number | null = null): ReadPage {
  const payload = Buffer.alloc(bytes)
  return {
    version: { expiresAt } as ReadPage['version'],
    headers: [],
    payload,
    body: payload,
    html: null,
    text: '',
    links: [],
    author: null,
    pageCount: null,
  }
}

describe('the page cache', () => {
  it('loads a page once, also when several ask at the same time', async () => {
    const cache = new PageCache(100_000, () => 0)
    let loads = 0
    const load = async () => {
      loads += 1
      return pageOf(10)
    }
    const [a, b] = await Promise.all([cache.get(1, load), cache.get(1, load)])
    assert.equal(a, b)
    assert.equal(await cache.get(1, load), a)
    assert.equal(loads, 1)
  })

  it('keeps what is asked for often when something else is read through', async () => {
    const cache = new PageCache(20_000, () => 0)
    let loads = 0
    const popular = () =>
      cache.get(0, async () => {
        loads += 1
        return pageOf(1000)
      })
    for (let i = 0; i < 10; i++) await popular()
    for (let i = 1; i < 200; i++) await cache.get(i, async () => pageOf(1000))
    await popular()
    assert.equal(loads, 1)
  })

  it('a load that fails is tried again', async () => {
    const cache = new PageCache(100_000, () => 0)
    await assert.rejects(cache.get(1, () => Promise.reject(new Error('no'))))
    assert.equal((await cache.get(1, async () => pageOf(5))).payload.length, 5)
  })

  it('does not serve a page whose time is over: whether it is still kept is asked anew', async () => {
    let now = 0
    const cache = new PageCache(100_000, () => now)
    await cache.get(1, async () => pageOf(10, 1000))
    now = 999
    assert.equal((await cache.get(1, () => assert.fail('it is known'))).payload.length, 10)
    now = 1000
    await assert.rejects(
      cache.get(1, () => Promise.reject(new Error('gone'))),
      { message: 'gone' },
    )
    assert.equal(cache.bytes, 0)
    await cache.get(1, async () => pageOf(10, 1000))
    assert.equal(cache.bytes, 0)
  })

  it('never holds more than it may', async () => {
    const asks = fc.array(fc.record({ id: fc.nat(30), bytes: fc.nat(8000) }), { maxLength: 200 })
    await fc.assert(
      fc.asyncProperty(asks, async (list) => {
        const cache = new PageCache(20_000, () => 0)
        for (const { id, bytes } of list) {
          await cache.get(id, async () => pageOf(bytes))
          assert.ok(cache.bytes <= 20_000 && cache.bytes >= 0)
        }
      }),
      { numRuns: 50 },
    )
  })
})

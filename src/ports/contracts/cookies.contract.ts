// The cookies of crawls on every store.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { MAX_COOKIES, MAX_KEY_CHARS, type StoredCookie } from '../cookies.ts'
import { describeStore, type TestStore } from './testing/store-harness.ts'

function cookie(name: string, changes: Partial<StoredCookie> = {}): StoredCookie {
  const place = { domain: 'a.test', isHostOnly: false, path: '/' }
  return { ...place, name, value: 'v', isSecure: true, expiresAt: null, createdAt: 1000, ...changes }
}

export function cookiesContract(name: string, makeStore: () => Promise<TestStore>): void {
  describeStore(`${name}: cookies`, makeStore, (add) => {
    add('each thread gets what others have changed since its last call, also after a restart', async (harness) => {
      await harness.start(['a/1'])
      const { crawlId } = harness
      const exchange = (since: number, ...changes: StoredCookie[]) =>
        harness.store.cookies.exchange({ crawlId, changes, since })
      assert.deepEqual(await exchange(0), { version: 0, cookies: [] })
      const first = await exchange(0, cookie('a'), cookie('b', { isHostOnly: true, isSecure: false, expiresAt: 2000 }))
      assert.deepEqual(first.cookies.length, 2)
      const second = await exchange(0, cookie('a', { value: 'other' }), cookie('a', { path: '/x', value: '\t\u00e9' }))
      assert.deepEqual(
        second.cookies.map(({ name, path, value }) => `${name}${path}=${value}`),
        ['b/=v', 'a/=other', 'a/x=\t\u00e9'],
      )
      harness.store = await harness.store.reopen()
      const changed = await exchange(first.version)
      assert.deepEqual(changed, { version: second.version, cookies: second.cookies.slice(1) })
      assert.deepEqual(await exchange(second.version), { version: second.version, cookies: [] })
      const [kept] = (await exchange(0)).cookies
      assert.deepEqual(kept, cookie('b', { isHostOnly: true, isSecure: false, expiresAt: 2000 }))
    })

    add('the longest cookies are stored', async (harness) => {
      await harness.start(['a/1'])
      const { crawlId } = harness
      const { domain, path } = cookie('')
      // Text that cannot be compressed, two bytes per character.
      const random = randomBytes(MAX_KEY_CHARS - domain.length - path.length)
      const name = Buffer.from(random.map((byte) => 0xc0 | byte)).toString('latin1')
      const longest = cookie(name, { value: 'v'.repeat(4096 - name.length) })
      const { cookies } = await harness.store.cookies.exchange({ crawlId, changes: [longest], since: 0 })
      assert.deepEqual(cookies, [longest])
    })

    add('concurrent changes all get versions of their own', async (harness) => {
      await harness.start(['a/1'])
      const { crawlId } = harness
      const calls = Array.from({ length: 8 }, (_, i) =>
        harness.store.cookies.exchange({ crawlId, changes: [cookie(`c${i}`), cookie('same')], since: 0 }),
      )
      await Promise.all(calls)
      const { cookies, version } = await harness.store.cookies.exchange({ crawlId, changes: [], since: 0 })
      assert.deepEqual([cookies.length, version], [9, 16])
    })

    add('the cookies that changed longest ago make room', async (harness) => {
      await harness.start(['a/1'])
      const { crawlId } = harness
      const changes = Array.from({ length: MAX_COOKIES }, (_, i) => cookie(`c${i}`))
      await harness.store.cookies.exchange({ crawlId, changes, since: 0 })
      await harness.store.cookies.exchange({ crawlId, changes: [cookie('c0'), cookie('new')], since: 0 })
      const { cookies } = await harness.store.cookies.exchange({ crawlId, changes: [], since: 0 })
      const names = cookies.map(({ name }) => name)
      assert.deepEqual([names.length, names[0], names.at(-2)], [MAX_COOKIES, 'c2', 'c0'])
    })

    add('cookies are removed with their crawl, and no other crawl has them', async (harness) => {
      await harness.start(['a/1'])
      await harness.crawlAll({})
      const { crawlId } = harness
      const changes = [cookie('a')]
      await harness.store.cookies.exchange({ crawlId, changes, since: 0 })
      await harness.store.control.remove(crawlId)
      while (await harness.store.control.removeNextBatch());
      assert.deepEqual(await harness.store.cookies.exchange({ crawlId, changes, since: 7 }), {
        version: 7,
        cookies: [],
      })
      // The new crawl may get the row of the removed one.
      await harness.start(['a/1'])
      const other = await harness.store.cookies.exchange({ crawlId: harness.crawlId, changes: [], since: 0 })
      assert.deepEqual(other.cookies, [])
    })
  })
}

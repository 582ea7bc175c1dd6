import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { makeTestStore } from '../../store/testing/sqlite-test-store.ts'
import { makeToken, TokenCache } from './tokens.ts'

async function withBook(run: (store: ReturnType<typeof makeTestStore>, book: TokenCache) => Promise<void>) {
  const store = makeTestStore({ leaseMs: 30_000, random: Math.random })
  try {
    await run(store, new TokenCache(store.access.tokens, store.clock))
  } finally {
    await store.close()
  }
}

describe('a token', () => {
  it('is found by itself and not by its hash, and none is stored', async () => {
    await withBook(async ({ access, clock }, book) => {
      const { token, row } = makeToken({ name: 'ci', scope: 'crawl' }, clock.now())
      await access.tokens.add(row)
      assert.equal((await book.find(token))?.scope, 'crawl')
      for (const other of [row.hash, token.slice(0, -1), `${token}x`, token.toUpperCase(), '']) {
        assert.equal(await book.find(other), null, other)
      }
      assert.ok(!JSON.stringify(await access.tokens.list()).includes(token))
    })
  })

  it('that was revoked elsewhere is good for a second more', async () => {
    await withBook(async ({ access, clock }, book) => {
      const { token, row } = makeToken({ name: 'ci', scope: 'read' }, clock.now())
      await access.tokens.add(row)
      assert.notEqual(await book.find(token), null)
      await access.tokens.remove(row.id)
      clock.advance(1_000)
      assert.equal(await book.find(token), null)
    })
  })

  it('is good also when its use cannot be noted', async () => {
    await withBook(async ({ access, clock }) => {
      const { token, row } = makeToken({ name: 'ci', scope: 'read' }, clock.now())
      await access.tokens.add(row)
      const used = () => Promise.reject(new Error('The disk is full.'))
      const book = new TokenCache({ ...access.tokens, recordUse: used }, clock)
      assert.notEqual(await book.find(token), null)
    })
  })

  it('that has expired is known as such, and its use is not noted', async () => {
    await withBook(async ({ access, clock }, book) => {
      const { token, row } = makeToken({ name: 'ci', scope: 'read', expiresAt: clock.now() + 1000 }, clock.now())
      await access.tokens.add(row)
      const found = await book.find(token)
      assert.ok(found !== null && !book.isExpired(found))
      const usedAt = (await access.tokens.list())[0]?.lastUsedAt
      clock.advance(100_000)
      const later = await book.find(token)
      assert.ok(later !== null && book.isExpired(later))
      assert.equal((await access.tokens.list())[0]?.lastUsedAt, usedAt)
    })
  })

  it('has its use noted once a minute', async () => {
    await withBook(async ({ access, clock }, book) => {
      const { token, row } = makeToken({ name: 'ci', scope: 'read' }, clock.now())
      await access.tokens.add(row)
      const usedAt = async () => (await access.tokens.list())[0]?.lastUsedAt
      await book.find(token)
      const first = await usedAt()
      clock.advance(59_999)
      await book.find(token)
      assert.equal(await usedAt(), first)
      clock.advance(1)
      await book.find(token)
      assert.equal(await usedAt(), clock.now())
    })
  })
})

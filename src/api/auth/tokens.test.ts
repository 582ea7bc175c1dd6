import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { makeTestStore } from '../../store/testing/sqlite-test-store.ts'
import { makeToken, TokenCache } from './tokens.ts'

async function withTokenCache(run: (store: ReturnType<typeof makeTestStore>, tokenCache: TokenCache) => Promise<void>) {
  const store = makeTestStore({ leaseMs: 30_000, random: Math.random })
  try {
    await run(store, new TokenCache(store.access.tokens, store.clock))
  } finally {
    await store.close()
  }
}

describe('a token', () => {
  it('is found by its value, not by its hash, and is not stored', async () => {
    await withTokenCache(async ({ access, clock }, tokenCache) => {
      const { token, row } = makeToken({ name: 'ci', scope: 'crawl' }, clock.now())
      await access.tokens.add(row)
      assert.equal((await tokenCache.find(token))?.scope, 'crawl')
      for (const other of [row.hash, token.slice(0, -1), `${token}x`, token.toUpperCase(), '']) {
        assert.equal(await tokenCache.find(other), null, other)
      }
      assert.ok(!JSON.stringify(await access.tokens.list()).includes(token))
    })
  })

  it('that another process revoked works for one more second', async () => {
    await withTokenCache(async ({ access, clock }, tokenCache) => {
      const { token, row } = makeToken({ name: 'ci', scope: 'read' }, clock.now())
      await access.tokens.add(row)
      assert.notEqual(await tokenCache.find(token), null)
      await access.tokens.remove(row.id)
      clock.advance(1_000)
      assert.equal(await tokenCache.find(token), null)
    })
  })

  it('that another process created is found although the list was read before', async () => {
    await withTokenCache(async ({ access, clock }, tokenCache) => {
      const { token, row } = makeToken({ name: 'ci', scope: 'read' }, clock.now())
      assert.equal(await tokenCache.find(token), null)
      await access.tokens.add(row)
      clock.advance(10)
      assert.equal((await tokenCache.find(token))?.id, row.id)
    })
  })

  it('works even if its use cannot be recorded', async () => {
    await withTokenCache(async ({ access, clock }) => {
      const { token, row } = makeToken({ name: 'ci', scope: 'read' }, clock.now())
      await access.tokens.add(row)
      const recordUse = () => Promise.reject(new Error('The disk is full.'))
      const tokenCache = new TokenCache({ ...access.tokens, recordUse }, clock)
      assert.notEqual(await tokenCache.find(token), null)
    })
  })

  it('that has expired is found as expired, and its use is not recorded', async () => {
    await withTokenCache(async ({ access, clock }, tokenCache) => {
      const { token, row } = makeToken({ name: 'ci', scope: 'read', expiresAt: clock.now() + 1000 }, clock.now())
      await access.tokens.add(row)
      const found = await tokenCache.find(token)
      assert.ok(found !== null && !tokenCache.isExpired(found))
      const usedAt = (await access.tokens.list())[0]?.lastUsedAt
      clock.advance(100_000)
      const later = await tokenCache.find(token)
      assert.ok(later !== null && tokenCache.isExpired(later))
      assert.equal((await access.tokens.list())[0]?.lastUsedAt, usedAt)
    })
  })

  it('has its use recorded once a minute', async () => {
    await withTokenCache(async ({ access, clock }, tokenCache) => {
      const { token, row } = makeToken({ name: 'ci', scope: 'read' }, clock.now())
      await access.tokens.add(row)
      const usedAt = async () => (await access.tokens.list())[0]?.lastUsedAt
      await tokenCache.find(token)
      const first = await usedAt()
      clock.advance(59_999)
      await tokenCache.find(token)
      assert.equal(await usedAt(), first)
      clock.advance(1)
      await tokenCache.find(token)
      assert.equal(await usedAt(), clock.now())
    })
  })
})

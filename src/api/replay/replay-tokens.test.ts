import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ManualClock } from '../../lib/testing/manual-clock.ts'
import type { TokenRow } from '../../ports/access.ts'
import { makeToken } from '../auth/tokens.ts'
import { ReplayTokens } from './replay-tokens.ts'

const HOUR_MS = 3_600_000

function setUp() {
  const clock = new ManualClock(1_000_000)
  const rows: TokenRow[] = []
  const tokens = {
    findById: async (id: string) => rows.find((row) => row.id === id) ?? null,
    isExpired: ({ expiresAt }: TokenRow) => expiresAt !== null && expiresAt <= clock.now(),
  }
  return { clock, rows, tokens, replayTokens: new ReplayTokens(tokens, clock) }
}

describe('a replay token', () => {
  it('is valid for one crawl and one hour', async () => {
    const { clock, replayTokens } = setUp()
    const { token, expiresAt } = await replayTokens.create('crawl-1', null)
    assert.equal(expiresAt, clock.now() + HOUR_MS)
    assert.deepEqual(await replayTokens.verify(token), { kind: 'valid', crawlId: 'crawl-1', tokenId: null })
    clock.advance(HOUR_MS)
    assert.deepEqual(await replayTokens.verify(token), { kind: 'expired' })
  })

  it('is invalid if anything in it was changed', async () => {
    const { replayTokens } = setUp()
    const { token } = await replayTokens.create('crawl-1', null)
    for (const changed of [
      token.replace('crawl-1', 'crawl-2'),
      token.replace(/\.[0-9a-z]+\.(?=[\w-]+$)/, '.zzzzzzzz.'),
      token.slice(0, -1),
      token.replace(/\.([\w-])(?=[\w-]+$)/, (_, first) => (first === 'A' ? '.B' : '.A')),
      `a${token}`,
      '',
      '...',
      `${token}.`,
    ]) {
      assert.deepEqual(await replayTokens.verify(changed), { kind: 'invalid' }, changed)
    }
  })

  it('of an API token works in every process, until that is revoked or expires', async () => {
    const { clock, rows, tokens, replayTokens } = setUp()
    const { row } = makeToken({ name: 'a', scope: 'read', expiresAt: clock.now() + 10 }, clock.now())
    rows.push({ ...row, lastUsedAt: null })
    const { token } = await replayTokens.create('crawl-1', row.id)
    const elsewhere = new ReplayTokens(tokens, clock)
    assert.deepEqual(await elsewhere.verify(token), { kind: 'valid', crawlId: 'crawl-1', tokenId: row.id })
    clock.advance(10)
    assert.deepEqual(await elsewhere.verify(token), { kind: 'invalid' })
    rows.length = 0
    assert.deepEqual(await replayTokens.verify(token), { kind: 'invalid' })
  })

  it('of a server without tokens works only there', async () => {
    const { clock, tokens, replayTokens } = setUp()
    const { token } = await replayTokens.create('crawl-1', null)
    assert.deepEqual(await new ReplayTokens(tokens, clock).verify(token), { kind: 'invalid' })
  })
})

// Tokens in the paths of archived pages. A displayed page has an opaque origin, so that it never gets the session
// cookie; its links and parts carry this token instead. It allows reading the archive of one crawl for a while.
//
// Tokens are not stored: they are signed with the hash of the owner's API token, which every process knows and which
// is gone when that token is revoked. On a server without tokens, they are signed with a secret of the process.

import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Clock } from '../../lib/clock.ts'
import type { TokenCache } from '../auth/tokens.ts'

const LIFETIME_MS = 60 * 60_000
const NO_OWNER = '0'
const FORM = /^([0-9a-f]+)\.([\w-]{1,64})\.([0-9a-z]{1,10})\.([\w-]{43})$/

export type ReplayAccess =
  | { kind: 'valid'; crawlId: string; tokenId: string | null }
  | { kind: 'expired' }
  | { kind: 'invalid' }

export class ReplayTokens {
  readonly #tokens: Pick<TokenCache, 'findById' | 'isExpired'>
  readonly #clock: Clock
  readonly #ownSecret = randomBytes(32)

  constructor(tokens: Pick<TokenCache, 'findById' | 'isExpired'>, clock: Clock) {
    this.#tokens = tokens
    this.#clock = clock
  }

  async create(crawlId: string, tokenId: string | null): Promise<{ token: string; expiresAt: number }> {
    const expiresAt = this.#clock.now() + LIFETIME_MS
    const content = `${tokenId ?? NO_OWNER}.${crawlId}.${expiresAt.toString(36)}`
    const signature = sign(content, (await this.#secretOf(tokenId ?? NO_OWNER)) ?? this.#ownSecret)
    return { token: `${content}.${signature.toString('base64url')}`, expiresAt }
  }

  async verify(token: string): Promise<ReplayAccess> {
    const [, owner = '', crawlId = '', expiry = '', signature = ''] = FORM.exec(token) ?? []
    const secret = await this.#secretOf(owner)
    if (secret === null) return { kind: 'invalid' }
    const expected = sign(`${owner}.${crawlId}.${expiry}`, secret)
    const given = Buffer.from(signature, 'base64url')
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return { kind: 'invalid' }
    if (Number.parseInt(expiry, 36) <= this.#clock.now()) return { kind: 'expired' }
    return { kind: 'valid', crawlId, tokenId: owner === NO_OWNER ? null : owner }
  }

  /** Null if the API token is gone or has expired. */
  async #secretOf(owner: string): Promise<Buffer | null> {
    if (owner === NO_OWNER) return this.#ownSecret
    const row = owner === '' ? null : await this.#tokens.findById(owner)
    return row === null || this.#tokens.isExpired(row) ? null : Buffer.from(row.hash, 'hex')
  }
}

function sign(content: string, secret: Buffer): Buffer {
  return createHmac('sha256', secret).update(`replay:${content}`).digest()
}

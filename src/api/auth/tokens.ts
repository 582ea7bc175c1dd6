// API tokens: 32 random bytes after a prefix that secret scanners can recognize. Only the hash is stored.

import { hash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Clock } from '../../lib/clock.ts'
import type { TokenRow, TokenScope, Tokens } from '../../ports/access.ts'

const PREFIX = 'orbw_'
/** How long a token that another process has revoked still works here. */
const FRESH_MS = 1_000
/** How long an unknown token stays unknown: another process may have just created it. Bounds the reads of a guesser. */
const FRESH_FOR_UNKNOWN_MS = 10
const RECORD_USE_INTERVAL_MS = 60_000

export interface CreatedToken {
  /** Shown only once. */
  token: string
  row: Omit<TokenRow, 'lastUsedAt'>
}

/** If `expiresAt` is null, the token is valid until it is revoked. */
export function makeToken(
  { name, scope, expiresAt = null }: { name: string; scope: TokenScope; expiresAt?: number | null },
  now: number,
): CreatedToken {
  const token = PREFIX + randomBytes(32).toString('base64url')
  const id = randomBytes(8).toString('hex')
  return { token, row: { id, name, scope, hash: hashToken(token), createdAt: now, expiresAt } }
}

/** Caches the tokens of the store for a second. */
export class TokenCache {
  readonly #tokens: Tokens
  readonly #clock: Clock
  readonly #usedAt = new Map<string, number>()
  #rows: Promise<TokenRow[]> | null = null
  #readAt = 0

  constructor(tokens: Tokens, clock: Clock) {
    this.#tokens = tokens
    this.#clock = clock
  }

  /** Finds a token, even if expired; check with `isExpired`. */
  async find(token: string): Promise<TokenRow | null> {
    const expected = Buffer.from(hashToken(token), 'hex')
    const found =
      findByHash(await this.#list(FRESH_MS), expected) ?? findByHash(await this.#list(FRESH_FOR_UNKNOWN_MS), expected)
    if (found !== null && !this.isExpired(found)) this.#recordUse(found)
    return found
  }

  /** Finds a token without recording a use. */
  async findById(id: string): Promise<TokenRow | null> {
    const hasId = (row: TokenRow) => row.id === id
    return (await this.#list(FRESH_MS)).find(hasId) ?? (await this.#list(FRESH_FOR_UNKNOWN_MS)).find(hasId) ?? null
  }

  isExpired({ expiresAt }: TokenRow): boolean {
    return expiresAt !== null && expiresAt <= this.#clock.now()
  }

  /** Must be called after a change in this process. */
  invalidate(): void {
    this.#rows = null
  }

  #list(freshMs: number): Promise<TokenRow[]> {
    const now = this.#clock.now()
    if (this.#rows === null || now - this.#readAt >= freshMs || now < this.#readAt) {
      this.#readAt = now
      this.#rows = this.#tokens.list()
      this.#rows.catch(() => this.invalidate())
    }
    return this.#rows
  }

  /** Not awaited: a full disk must not lock users out. */
  #recordUse({ id, lastUsedAt }: TokenRow): void {
    const now = this.#clock.now()
    if (now - Math.max(lastUsedAt ?? 0, this.#usedAt.get(id) ?? 0) < RECORD_USE_INTERVAL_MS) return
    this.#usedAt.set(id, now)
    this.#tokens.recordUse(id, now).catch(() => this.#usedAt.delete(id))
  }
}

/** Compares all tokens, so that the time does not reveal the position. */
function findByHash(rows: TokenRow[], expected: Buffer): TokenRow | null {
  let found: TokenRow | null = null
  for (const row of rows) {
    const known = Buffer.from(row.hash, 'hex')
    if (known.length === expected.length && timingSafeEqual(known, expected)) found = row
  }
  return found
}

function hashToken(token: string): string {
  return hash('sha256', token, 'hex')
}

// Tokens: 32 random bytes behind a prefix that scanners for leaked secrets can look for. Only their hash is stored.

import { hash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Clock } from '../../lib/clock.ts'
import type { TokenRow, TokenScope, Tokens } from '../../ports/access.ts'

const PREFIX = 'orbw_'
/** How long a token that was revoked in another process still works here. */
const FRESH_MS = 1_000
const RECORD_USE_INTERVAL_MS = 60_000

export interface CreatedToken {
  /** Told once. */
  token: string
  row: Omit<TokenRow, 'lastUsedAt'>
}

/** `expiresAt` null: it is good until it is revoked. */
export function makeToken(
  { name, scope, expiresAt = null }: { name: string; scope: TokenScope; expiresAt?: number | null },
  now: number,
): CreatedToken {
  const token = PREFIX + randomBytes(32).toString('base64url')
  const id = randomBytes(8).toString('hex')
  return { token, row: { id, name, scope, hash: hashToken(token), createdAt: now, expiresAt } }
}

/** The tokens of the store, read again when they are older than a second. */
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

  /** Also one that has expired: ask `isExpired`. */
  async find(token: string): Promise<TokenRow | null> {
    const wanted = Buffer.from(hashToken(token), 'hex')
    let found: TokenRow | null = null
    // All are looked at, so that time tells nothing of the position.
    for (const row of await this.#list()) {
      const known = Buffer.from(row.hash, 'hex')
      if (known.length === wanted.length && timingSafeEqual(known, wanted)) found = row
    }
    if (found !== null && !this.isExpired(found)) this.#recordUse(found)
    return found
  }

  isExpired({ expiresAt }: TokenRow): boolean {
    return expiresAt !== null && expiresAt <= this.#clock.now()
  }

  /** After a change made here. */
  invalidate(): void {
    this.#rows = null
  }

  #list(): Promise<TokenRow[]> {
    const now = this.#clock.now()
    if (this.#rows === null || now - this.#readAt >= FRESH_MS || now < this.#readAt) {
      this.#readAt = now
      this.#rows = this.#tokens.list()
      this.#rows.catch(() => this.invalidate())
    }
    return this.#rows
  }

  /** Nobody waits for it, and a disk that is full shuts nobody out. */
  #recordUse({ id, lastUsedAt }: TokenRow): void {
    const now = this.#clock.now()
    if (now - Math.max(lastUsedAt ?? 0, this.#usedAt.get(id) ?? 0) < RECORD_USE_INTERVAL_MS) return
    this.#usedAt.set(id, now)
    this.#tokens.recordUse(id, now).catch(() => this.#usedAt.delete(id))
  }
}

function hashToken(token: string): string {
  return hash('sha256', token, 'hex')
}

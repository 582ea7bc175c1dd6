// Who may call the API, whom it calls, and which requests it has seen before. Secrets of tokens are never stored.

import type { ExternalCrawlers } from './external.ts'

export const TOKEN_SCOPES = ['read', 'crawl', 'admin'] as const
/** Each includes those before it. */
export type TokenScope = (typeof TOKEN_SCOPES)[number]

export interface TokenRow {
  id: string
  name: string
  scope: TokenScope
  /** SHA-256 of the whole token, in hex. */
  hash: string
  createdAt: number
  lastUsedAt: number | null
  /** Null: never. */
  expiresAt: number | null
}

export interface Tokens {
  list(): Promise<TokenRow[]>
  add(token: Omit<TokenRow, 'lastUsedAt'>): Promise<void>
  /** False when there is none with this id. */
  remove(id: string): Promise<boolean>
  recordUse(id: string, at: number): Promise<void>
}

export interface WebhookRow {
  id: string
  url: string
  events: string[]
  /** Signs every call; needed as it is, so it is stored. */
  secret: string
  createdAt: number
  /** It may be at an address that is not public. */
  allowsPrivate: boolean
  lastDelivery: { at: number; status: number | null; problem: string | null } | null
}

/** A call that is due; one that failed comes again later. */
export interface Delivery {
  id: string
  webhookId: string
  event: string
  body: string
  /** Tries before this one: each taking counts, also by a process that died over it. */
  attempts: number
  dueAt: number
}

export interface Webhooks {
  list(): Promise<WebhookRow[]>
  add(webhook: Omit<WebhookRow, 'lastDelivery'>): Promise<void>
  remove(id: string): Promise<boolean>
  /**
   * Stored before it is tried, so that a crash loses none; the same id is stored once, also for two days after it is over.
   * None is stored for a webhook that is gone.
   */
  enqueue(deliveries: Delivery[]): Promise<void>
  /** Takes what is due for `holdMs`, so that no other process tries it meanwhile. */
  claimDue(now: number, holdMs: number, limit: number): Promise<Delivery[]>
  /** `next` null: it is over, delivered or given up. */
  recordDelivery(
    id: string,
    outcome: { at: number; status: number | null; problem: string | null },
    next: number | null,
  ): Promise<void>
}

/** `fingerprint` is of the request: another one under the same key is a conflict. */
export type IdempotencyState =
  | { kind: 'yours' }
  /** Somebody is about it. */
  | { kind: 'claimed'; fingerprint: string }
  | { kind: 'answered'; fingerprint: string; answer: string }

/** Answers to requests that may be repeated. */
export interface IdempotencyKeys {
  /** What the key answered before; null when it did not yet. */
  find(key: string): Promise<{ fingerprint: string; answer: string } | null>
  /**
   * Of all who ask at the same time, in whichever process, one is told that the key is theirs. A claim older than `holdMs`
   * is of one who died over it, and can be taken.
   */
  claim(key: string, claim: { fingerprint: string; at: number; holdMs: number }): Promise<IdempotencyState>
  /** The first answer stays. No answer is empty. */
  save(key: string, request: { fingerprint: string; answer: string; at: number }): Promise<void>
  /** There will be no answer: the key is anybody's again. */
  release(key: string): Promise<void>
  deleteOlderThan(olderThan: number): Promise<void>
}

export interface Access {
  external: ExternalCrawlers
  tokens: Tokens
  webhooks: Webhooks
  idempotencyKeys: IdempotencyKeys
}

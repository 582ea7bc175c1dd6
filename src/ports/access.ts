// API tokens, webhooks and idempotency keys. The secrets of tokens are never stored.

import type { ExternalCrawlers } from './external.ts'

export const TOKEN_SCOPES = ['read', 'crawl', 'admin'] as const
/** Each scope includes those before it. */
export type TokenScope = (typeof TOKEN_SCOPES)[number]

export interface TokenRow {
  id: string
  name: string
  scope: TokenScope
  /** SHA-256 of the whole token, in hex. */
  hash: string
  createdAt: number
  lastUsedAt: number | null
  /** Null if the token never expires. */
  expiresAt: number | null
}

export interface Tokens {
  list(): Promise<TokenRow[]>
  add(token: Omit<TokenRow, 'lastUsedAt'>): Promise<void>
  /** False if no token has this id. */
  remove(id: string): Promise<boolean>
  recordUse(id: string, at: number): Promise<void>
}

export interface WebhookRow {
  id: string
  url: string
  events: string[]
  /** Secret that signs every delivery. Stored in plain text, since signing needs it. */
  secret: string
  createdAt: number
  /** Whether the address may be in a private network. */
  allowsPrivate: boolean
  /** Changes of pages up to this place in their order were enqueued. */
  changesCursor: number
  lastDelivery: { at: number; status: number | null; problem: string | null } | null
}

/** A delivery that is due. A failed one is retried later. */
export interface Delivery {
  id: string
  webhookId: string
  event: string
  body: string
  /** Earlier attempts. Every claim is one, even if the process died. */
  attempts: number
  dueAt: number
}

export interface Webhooks {
  list(): Promise<WebhookRow[]>
  /** A webhook gets the changes of pages that are published after this call. */
  add(webhook: Omit<WebhookRow, 'lastDelivery' | 'changesCursor'>): Promise<void>
  remove(id: string): Promise<boolean>
  /**
   * Deliveries are stored before they are attempted, so that a crash loses none. An id is stored once, even up to two
   * days after it was done. Nothing is stored for a webhook that is gone.
   */
  enqueue(deliveries: Delivery[]): Promise<void>
  /**
   * Enqueues deliveries of changes of pages between two places, and moves the webhook to the second. Nothing happens if
   * it is no longer at the first: another process was faster.
   */
  enqueueChanges(webhookId: string, range: { from: number; to: number }, deliveries: Delivery[]): Promise<void>
  /** Claims due deliveries for `claimMs`, so that no other process attempts them in the meantime. */
  claimDue(now: number, claimMs: number, limit: number): Promise<Delivery[]>
  /** `next` null: the delivery is done, successfully or not. */
  recordDelivery(
    id: string,
    outcome: { at: number; status: number | null; problem: string | null },
    next: number | null,
  ): Promise<void>
}

/** `fingerprint` identifies the request. Another request under the same key is a conflict. */
export type IdempotencyState =
  | { kind: 'yours' }
  /** Another caller holds the claim. */
  | { kind: 'claimed'; fingerprint: string }
  | { kind: 'answered'; fingerprint: string; answer: string }

/** Stored responses for requests that may be repeated. */
export interface IdempotencyKeys {
  /** The response stored under the key; null if there is none yet. */
  find(key: string): Promise<{ fingerprint: string; answer: string } | null>
  /**
   * Exactly one of all concurrent callers, in any process, gets the claim. A claim older than `claimMs` belongs to a
   * caller that died, and can be taken over.
   */
  claim(key: string, claim: { fingerprint: string; at: number; claimMs: number }): Promise<IdempotencyState>
  /** The first response is kept. A response is never empty. */
  save(key: string, request: { fingerprint: string; answer: string; at: number }): Promise<void>
  /** Gives up the claim without a response. */
  release(key: string): Promise<void>
  deleteOlderThan(olderThan: number): Promise<void>
}

export interface Access {
  external: ExternalCrawlers
  tokens: Tokens
  webhooks: Webhooks
  idempotencyKeys: IdempotencyKeys
}

// Converts the rows of tokens, webhooks, deliveries and idempotency keys.

import type { Delivery, IdempotencyState, TokenRow, TokenScope, WebhookRow } from '../../ports/access.ts'

type Row = Record<string, unknown>

/** How long a finished delivery is kept, since another process may enqueue it again. */
export const DELIVERY_RETENTION_MS = 2 * 86_400_000

export function toToken(row: Row): TokenRow {
  return {
    id: String(row['id']),
    name: String(row['name']),
    scope: row['scope'] as TokenScope,
    hash: String(row['hash']),
    createdAt: Number(row['created_at']),
    lastUsedAt: numberOrNull(row['last_used_at']),
    expiresAt: numberOrNull(row['expires_at']),
  }
}

export function toWebhook(row: Row): WebhookRow {
  const at = numberOrNull(row['delivered_at'])
  const outcome = {
    status: numberOrNull(row['delivered_status']),
    problem: row['delivered_problem'] as string | null,
  }
  return {
    id: String(row['id']),
    url: String(row['url']),
    events: JSON.parse(String(row['events'])) as string[],
    secret: String(row['secret']),
    createdAt: Number(row['created_at']),
    allowsPrivate: Boolean(row['allows_private']),
    changesCursor: Number(row['changes_cursor']),
    lastDelivery: at === null ? null : { at, ...outcome },
  }
}

export function toDelivery(row: Row): Delivery {
  return {
    id: String(row['id']),
    webhookId: String(row['webhook']),
    event: String(row['event']),
    body: String(row['body']),
    attempts: Number(row['attempts']),
    dueAt: Number(row['due_at']),
  }
}

/** A row without a response is a claim. A row that no longer exists was released a moment ago, and is read again. */
export function toIdempotencyState(
  row: Row | undefined,
  fingerprint: string,
): Exclude<IdempotencyState, { kind: 'yours' }> {
  if (row === undefined) return { kind: 'claimed', fingerprint }
  const known = { fingerprint: String(row['fingerprint']), answer: String(row['answer']) }
  return known.answer === '' ? { kind: 'claimed', fingerprint: known.fingerprint } : { kind: 'answered', ...known }
}

function numberOrNull(value: unknown): number | null {
  return value === null ? null : Number(value)
}

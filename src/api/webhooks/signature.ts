// How a receiver knows that a call is ours, and not an old one sent again: docs/reference/api.md says how to check it.

import { createHmac } from 'node:crypto'
import type { Delivery } from '../../ports/access.ts'

export function signBody(secret: string, timestamp: string, body: string): string {
  return `sha256=${createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')}`
}

export function deliveryHeaders({ id, event, body }: Delivery, secret: string, now: number): Record<string, string> {
  const timestamp = String(Math.floor(now / 1000))
  return {
    'content-type': 'application/json',
    'user-agent': 'orbweaver-webhook',
    'x-orbweaver-event': event,
    'x-orbweaver-delivery': id,
    'x-orbweaver-timestamp': timestamp,
    'x-orbweaver-signature': signBody(secret, timestamp, body),
  }
}

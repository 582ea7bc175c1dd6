// Signs webhook calls, so that receivers can authenticate them and reject replays. docs/reference/api.md explains the check.

import { createHmac } from 'node:crypto'
import type { Delivery } from '../../ports/access.ts'

function signBody(secret: string, timestamp: string, body: string): string {
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

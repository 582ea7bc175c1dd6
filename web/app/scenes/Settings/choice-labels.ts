// Choices with their words. The types make sure that none of the server's is missing; its own lists come with schemas,
// which a page does not load.

import type { RouteRequest, RouteResponse } from '../../../../src/api/contract/routes.ts'
import type { TokenScope } from '../../server/token-scopes.ts'

export type Token = RouteResponse<'listTokens'>['items'][number]
export type Webhook = RouteResponse<'listWebhooks'>['items'][number]
export type WebhookEvent = Webhook['events'][number]
export type LogLevel = RouteRequest<'setLogLevel'>['body']['level']

export const SCOPE_LABELS: Record<TokenScope, string> = {
  read: 'read: see crawls, urls and pages, and search',
  crawl: 'crawl: also start, steer and delete crawls',
  admin: 'admin: also workers, tokens, webhooks and settings that open the network',
}

export const EXPIRY_CHOICES: readonly { days: number | null; words: string }[] = [
  { days: null, words: 'never' },
  { days: 7, words: 'in 7 days' },
  { days: 30, words: 'in 30 days' },
  { days: 90, words: 'in 90 days' },
  { days: 365, words: 'in a year' },
]

export const EVENT_LABELS: Record<WebhookEvent, string> = {
  'crawl.created': 'created',
  'crawl.paused': 'paused',
  'crawl.resumed': 'resumed',
  'crawl.completed': 'completed',
  'crawl.cancelled': 'cancelled',
  'crawl.failed': 'failed',
}

export const LEVEL_LABELS: Record<LogLevel, string> = {
  debug: 'debug: everything',
  info: 'info: what happens',
  warn: 'warn: what may go wrong',
  error: 'error: what went wrong',
}

export const EVENTS = Object.keys(EVENT_LABELS) as WebhookEvent[]
export const LEVELS = Object.keys(LEVEL_LABELS) as LogLevel[]

// Choices with their words. The types make sure that none of the server's is missing; its own lists come with schemas,
// which a page does not load.

import type { RouteAnswer, RouteGiven } from '../../../../src/api/contract/routes.ts'
import type { Scope } from '../../scope.ts'

export type Token = RouteAnswer<'listTokens'>['items'][number]
export type Webhook = RouteAnswer<'listWebhooks'>['items'][number]
export type WebhookEvent = Webhook['events'][number]
export type LogLevel = RouteGiven<'setLogLevel'>['body']['level']

export const SCOPE_WORDS: Record<Scope, string> = {
  read: 'read: see crawls, urls and pages, and search',
  crawl: 'crawl: also start, steer and delete crawls',
  admin: 'admin: also workers, tokens, webhooks and settings that open the network',
}

export const EXPIRIES: readonly { days: number | null; words: string }[] = [
  { days: null, words: 'never' },
  { days: 7, words: 'in 7 days' },
  { days: 30, words: 'in 30 days' },
  { days: 90, words: 'in 90 days' },
  { days: 365, words: 'in a year' },
]

export const EVENT_WORDS: Record<WebhookEvent, string> = {
  'crawl.created': 'created',
  'crawl.paused': 'paused',
  'crawl.resumed': 'resumed',
  'crawl.completed': 'completed',
  'crawl.cancelled': 'cancelled',
  'crawl.failed': 'failed',
}

export const LEVEL_WORDS: Record<LogLevel, string> = {
  debug: 'debug: everything',
  info: 'info: what happens',
  warn: 'warn: what may go wrong',
  error: 'error: what went wrong',
}

export const EVENTS = Object.keys(EVENT_WORDS) as WebhookEvent[]
export const LEVELS = Object.keys(LEVEL_WORDS) as LogLevel[]

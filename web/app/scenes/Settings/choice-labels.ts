// Labels of the choices in Settings. The types ensure that every choice of the server has one; the server's own lists
// are part of its schemas, which the app does not load.

import type { RouteRequest, RouteResponse } from '../../../../src/api/contract/routes.ts'
import type { TokenScope } from '../../server/token-scopes.ts'

export type Token = RouteResponse<'listTokens'>['items'][number]
export type Webhook = RouteResponse<'listWebhooks'>['items'][number]
export type WebhookEvent = Webhook['events'][number]
export type LogLevel = RouteRequest<'setLogLevel'>['body']['level']

export const SCOPE_LABELS: Record<TokenScope, string> = { read: 'Read', crawl: 'Crawl', admin: 'Admin' }

export const SCOPE_DESCRIPTIONS: Record<TokenScope, string> = {
  read: 'Read: view and search',
  crawl: 'Crawl: also start and control crawls',
  admin: 'Admin: also manage the server',
}

export const EXPIRY_CHOICES: readonly { days: number | null; label: string }[] = [
  { days: null, label: 'Never' },
  { days: 7, label: 'In 7 days' },
  { days: 30, label: 'In 30 days' },
  { days: 90, label: 'In 90 days' },
  { days: 365, label: 'In a year' },
]

export const EVENT_LABELS: Record<WebhookEvent, string> = {
  'crawl.created': 'Created',
  'crawl.paused': 'Paused',
  'crawl.resumed': 'Resumed',
  'crawl.completed': 'Completed',
  'crawl.cancelled': 'Cancelled',
  'crawl.failed': 'Failed',
  'page.added': 'Page added',
  'page.changed': 'Page changed',
  'page.removed': 'Page removed',
  'monitor.hit': 'Monitor hit',
}

export const LEVEL_LABELS: Record<LogLevel, string> = { debug: 'Debug', info: 'Info', warn: 'Warning', error: 'Error' }

export const EVENTS = Object.keys(EVENT_LABELS) as WebhookEvent[]
export const LEVELS = Object.keys(LEVEL_LABELS) as LogLevel[]

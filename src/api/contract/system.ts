import { z } from 'zod'
import { SETTING_GROUPS } from '../../config/setting.ts'
import { WORKER_STATES } from '../../ports/workers.ts'
import { Crawl } from './crawls.ts'
import { paginated } from './pagination.ts'
import { route, SCOPES } from './route.ts'

const count = z.int().min(0)
export const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const
export const WEBHOOK_EVENTS = [
  'crawl.created',
  'crawl.paused',
  'crawl.resumed',
  'crawl.completed',
  'crawl.cancelled',
  'crawl.failed',
] as const

export const Worker = z.object({
  worker_id: z.string(),
  name: z.string(),
  version: z.string(),
  state: z.enum(WORKER_STATES),
  note: z.string().nullable(),
  started_at: z.iso.datetime(),
  seen_at: z.iso.datetime(),
  cpu_percent: z.number(),
  rss_bytes: count,
  loop_delay_ms: z.number(),
  requests: count,
  answers: count,
  bytes: count,
  in_flight: count,
  last_answer_at: z.iso.datetime().nullable(),
  recent_requests: count,
  recent_failures: count,
  held: z.string().nullable(),
})

/** What a form needs to show a setting. */
export const SettingInfo = z.object({
  name: z.string(),
  group: z.enum(SETTING_GROUPS).describe('Heading in a form; groups are listed in their order.'),
  help: z.string(),
  kind: z.enum(['number', 'text', 'switch', 'choice', 'list']),
  choices: z.array(z.string()).nullable(),
  placeholder: z.string(),
  default: z.unknown(),
  schema: z.record(z.string(), z.unknown()).describe('JSON Schema of a value.'),
  needs_admin: z.boolean(),
  /** May be changed while a crawl runs. */
  is_changeable: z.boolean(),
})

export const Token = z.object({
  token_id: z.string(),
  name: z.string(),
  scope: z.enum(SCOPES),
  created_at: z.iso.datetime(),
  last_used_at: z.iso.datetime().nullable(),
  expires_at: z.iso.datetime().nullable().describe('Null: never.'),
})

export const Webhook = z.object({
  webhook_id: z.string(),
  url: z.string(),
  events: z.array(z.enum(WEBHOOK_EVENTS)),
  allow_private: z.boolean(),
  created_at: z.iso.datetime(),
  last_delivery: z
    .object({ at: z.iso.datetime(), status: z.int().nullable(), problem: z.string().nullable() })
    .nullable(),
})

export const systemRoutes = {
  about: route({
    summary: 'What this is, and what the caller may do',
    scope: 'read',
    isOpen: true,
    response: z.object({
      name: z.literal('orbweaver'),
      version: z.string(),
      api: z.literal('v1'),
      store: z.enum(['sqlite', 'postgres']),
      needs_token: z.boolean(),
      scope: z.enum(SCOPES).nullable().describe('Null: no token was given, or a wrong one.'),
      has_demo: z.boolean(),
    }),
  }),
  listWorkers: route({ summary: 'Workers of the store', scope: 'read', response: paginated(Worker) }),
  drainWorker: route({
    summary: 'Tell a worker to finish and leave',
    scope: 'admin',
    params: z.object({ worker_id: z.string().max(64) }),
    response: Worker,
    errors: ['WORKER_NOT_FOUND'],
  }),
  getSettings: route({
    summary: 'Settings that a crawl can have, with their defaults here',
    scope: 'read',
    response: z.object({ items: z.array(SettingInfo) }),
  }),
  getLogLevel: route({
    summary: 'How much the process that answers logs',
    scope: 'read',
    response: z.object({ level: z.enum(LOG_LEVELS) }),
  }),
  setLogLevel: route({
    summary: 'How much is logged, until the process ends',
    scope: 'admin',
    body: z.strictObject({ level: z.enum(LOG_LEVELS) }),
    response: z.object({ level: z.enum(LOG_LEVELS) }),
  }),
  startDemo: route({
    summary: 'Crawl the generated sample site that comes with the program',
    scope: 'admin',
    response: Crawl,
    status: 201,
  }),
  listWebhooks: route({ summary: 'Webhooks', scope: 'admin', response: paginated(Webhook) }),
  createWebhook: route({
    summary: 'Call a url when the state of a crawl changes; the secret that signs the calls is told once',
    scope: 'admin',
    body: z.strictObject({
      url: z.string().max(2048),
      events: z
        .array(z.enum(WEBHOOK_EVENTS))
        .min(1)
        .default([...WEBHOOK_EVENTS]),
      allow_private: z.boolean().default(false).describe('It may be at an address that is not public.'),
    }),
    response: Webhook.extend({ secret: z.string() }),
    status: 201,
    errors: ['BAD_SEED'],
  }),
  deleteWebhook: route({
    summary: 'Remove a webhook',
    scope: 'admin',
    params: z.object({ webhook_id: z.string().max(64) }),
    response: null,
    status: 204,
    errors: ['WEBHOOK_NOT_FOUND'],
  }),
  listTokens: route({ summary: 'Tokens', scope: 'admin', response: paginated(Token) }),
  createToken: route({
    summary: 'Make a token, which is told once',
    scope: 'admin',
    body: z.strictObject({
      name: z.string().trim().min(1).max(100),
      scope: z.enum(SCOPES),
      expires_at: z.iso.datetime().nullable().optional().describe('Null, or left out: never.'),
    }),
    response: Token.extend({ token: z.string() }),
    status: 201,
  }),
  revokeToken: route({
    summary: 'Revoke a token',
    scope: 'admin',
    params: z.object({ token_id: z.string().max(64) }),
    response: null,
    status: 204,
    errors: ['TOKEN_NOT_FOUND'],
  }),
  openSession: route({
    summary: 'Exchange a token for a cookie, for browsers',
    scope: 'read',
    isOpen: true,
    body: z.strictObject({ token: z.string().max(200) }),
    response: z.object({ scope: z.enum(SCOPES) }),
    errors: ['TOKEN_WRONG', 'TOKEN_EXPIRED'],
  }),
  closeSession: route({ summary: 'Forget the cookie', scope: 'read', isOpen: true, response: null, status: 204 }),
  streamEvents: route({
    summary: 'Changes of all crawls as server-sent events',
    scope: 'read',
    query: z.object({ interval_ms: z.coerce.number().int().min(250).max(60_000).default(2000) }),
    response: { stream: ['text/event-stream'] },
  }),
}

import { z } from 'zod'
import { SETTING_GROUPS } from '../../config/setting.ts'
import { LOG_LEVELS } from '../../lib/log-levels.ts'
import { WORKER_STATES } from '../../ports/workers.ts'
import { Crawl } from './crawls.ts'
import { paginated } from './pagination.ts'
import { route, SCOPES } from './route.ts'

const count = z.int().min(0)
export const CRAWL_EVENTS = [
  'crawl.created',
  'crawl.paused',
  'crawl.resumed',
  'crawl.completed',
  'crawl.cancelled',
  'crawl.failed',
] as const
/** Several changes of one event are sent together. */
export const PAGE_EVENTS = ['page.added', 'page.changed', 'page.removed'] as const
export const HIT_EVENT = 'monitor.hit'
export const WEBHOOK_EVENTS = [...CRAWL_EVENTS, ...PAGE_EVENTS, HIT_EVENT] as const

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

/** The description of a setting, for forms. */
export const SettingInfo = z.object({
  name: z.string(),
  label: z.string().describe('Label in a form.'),
  group: z.enum(SETTING_GROUPS).describe('Heading in a form; groups are listed in their order.'),
  help: z.string(),
  kind: z.enum(['number', 'text', 'switch', 'choice', 'list']),
  choices: z.array(z.string()).nullable(),
  choice_labels: z.record(z.string(), z.string()).nullable().describe('Labels of the choices in a form.'),
  placeholder: z.string(),
  default: z.unknown(),
  schema: z.record(z.string(), z.unknown()).describe('JSON Schema of a value.'),
  needs_admin: z.boolean(),
  /** Can be changed while a crawl is running. */
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
    summary: 'Get the version of the server and the scope of the caller',
    scope: 'read',
    isOpen: true,
    response: z.object({
      name: z.literal('orbweaver'),
      version: z.string(),
      api: z.literal('v1'),
      store: z.enum(['sqlite', 'postgres']),
      needs_token: z.boolean(),
      scope: z.enum(SCOPES).nullable().describe('Null without a token or with an invalid one.'),
      has_demo: z.boolean(),
    }),
  }),
  listWorkers: route({ summary: 'List the workers of the store', scope: 'read', response: paginated(Worker) }),
  drainWorker: route({
    summary: 'Drain a worker: it finishes its requests in flight and exits',
    scope: 'admin',
    params: z.object({ worker_id: z.string().max(64) }),
    body: z
      .strictObject({
        force: z
          .boolean()
          .default(false)
          .describe('Drain it even if no other worker is running; all crawls then wait.'),
      })
      .default({ force: false }),
    response: Worker,
    errors: ['WORKER_NOT_FOUND', 'LAST_WORKER'],
  }),
  getSettings: route({
    summary: 'List the settings of crawls, with the defaults of this server',
    scope: 'read',
    response: z.object({ items: z.array(SettingInfo) }),
  }),
  getLogLevel: route({
    summary: 'Get the log level of the process that responds',
    scope: 'read',
    response: z.object({ level: z.enum(LOG_LEVELS) }),
  }),
  setLogLevel: route({
    summary: 'Set the log level until the process ends',
    scope: 'admin',
    body: z.strictObject({ level: z.enum(LOG_LEVELS) }),
    response: z.object({ level: z.enum(LOG_LEVELS) }),
  }),
  startDemo: route({
    summary: 'Start a crawl of the built-in demo site',
    scope: 'admin',
    response: Crawl,
    status: 201,
  }),
  listWebhooks: route({ summary: 'List webhooks', scope: 'admin', response: paginated(Webhook) }),
  createWebhook: route({
    summary:
      'Create a webhook, a URL that is called when the status of a crawl changes, pages change, or a monitor has a hit; its secret is shown only once',
    scope: 'admin',
    body: z.strictObject({
      url: z.string().max(2048),
      events: z
        .array(z.enum(WEBHOOK_EVENTS))
        .min(1)
        .default([...CRAWL_EVENTS]),
      allow_private: z.boolean().default(false).describe('Allow a URL with a private address.'),
    }),
    response: Webhook.extend({ secret: z.string() }),
    status: 201,
  }),
  deleteWebhook: route({
    summary: 'Delete a webhook',
    scope: 'admin',
    params: z.object({ webhook_id: z.string().max(64) }),
    response: null,
    status: 204,
    errors: ['WEBHOOK_NOT_FOUND'],
  }),
  listTokens: route({ summary: 'List tokens', scope: 'admin', response: paginated(Token) }),
  createToken: route({
    summary: 'Create a token, which is shown only once',
    scope: 'admin',
    body: z.strictObject({
      name: z.string().trim().min(1).max(100),
      scope: z.enum(SCOPES),
      expires_at: z.iso.datetime().nullable().optional().describe('Null or omitted: never.'),
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
    summary: 'Open a browser session: exchange a token for a cookie',
    scope: 'read',
    isOpen: true,
    body: z.strictObject({ token: z.string().max(200) }),
    response: z.object({ scope: z.enum(SCOPES) }),
    errors: ['TOKEN_WRONG', 'TOKEN_EXPIRED'],
  }),
  closeSession: route({
    summary: 'Close the browser session',
    scope: 'read',
    isOpen: true,
    response: null,
    status: 204,
  }),
  streamEvents: route({
    summary: 'Stream the changes of all crawls as server-sent events',
    scope: 'read',
    query: z.object({ interval_ms: z.coerce.number().int().min(250).max(60_000).default(2000) }),
    response: { stream: ['text/event-stream'] },
  }),
}

// Support for --server: commands that call the API of a running server instead of opening a store.

import { ApiError, type Client, type ClientResponse, createClient } from '../api/client.ts'
import type { Config } from '../config/schema.ts'
import { AppError } from '../lib/errors.ts'
import { HOLD_REASONS } from '../ports/hold-reasons.ts'
import type { CrawlSnapshot } from './live/crawl-snapshot.ts'
import { nextVisitInMs } from './stored-snapshot.ts'

/** Null without --server. */
export function createServerClient({ server, token }: Pick<Config, 'server' | 'token'>): Client | null {
  return server === null ? null : createClient({ baseUrl: server, token })
}

/** Turns API errors into AppErrors, so that they give the same exit codes as errors of a store. */
export async function callServer<T>(client: Client, call: (client: Client) => Promise<T>): Promise<T> {
  try {
    return await call(client)
  } catch (error) {
    throw error instanceof ApiError ? new AppError(error.code, describeError(error), { cause: error }) : error
  }
}

/** Fields of the API as flags: body.settings.max_pages is --max-pages. */
function describeError({ message, fields }: ApiError): string {
  const settings = fields.map((problem) => ({ ...problem, name: /^body\.settings\.(\w+)$/.exec(problem.field)?.[1] }))
  const lines = settings.map(({ name, message: text }) => (name === undefined ? text : `${toFlag(name)}: ${text}`))
  const text = lines.length === 0 ? message : lines.join(' ')
  return text.replace(/\ballow_private\b|(?<=with )allow\b/g, toFlag)
}

function toFlag(fileKey: string): string {
  return `--${fileKey.replaceAll('_', '-')}`
}

/** Resolves the start of a crawl id to the full id. */
export async function findCrawlId(client: Client, prefix: string): Promise<string> {
  const { items } = await client.listCrawls({ query: { text: prefix, limit: 1000 } })
  const [id, ...others] = items.map(({ crawl_id }) => crawl_id).filter((crawlId) => crawlId.startsWith(prefix))
  if (id === undefined) throw new AppError('CRAWL_NOT_FOUND', `The server has no crawl "${prefix}".`)
  if (others.length > 0)
    throw new AppError('CRAWL_AMBIGUOUS', `More than one crawl id starts with "${prefix}". Use more characters.`)
  return id
}

export type RemoteProgress = ClientResponse<'listCrawls'>['items'][number]

export function toCrawlSnapshot(progress: RemoteProgress): CrawlSnapshot {
  return {
    crawlId: progress.crawl_id,
    rootUrl: progress.root_url,
    status: progress.status,
    reason: progress.reason,
    ledger: progress.states,
    sitemaps: progress.sitemaps,
    requisites: progress.requisites,
    bytes: progress.bytes,
    rejected: {},
    maxPages: null,
    sitemapOnly: false,
    elapsedMs: progress.active_ms,
    pagesPerSecond: progress.pages_per_second,
    inFlight: progress.in_flight,
    hosts: [],
    waits: [],
    held: HOLD_REASONS.find((reason) => reason === progress.held) ?? null,
    draining: false,
    nextVisitInMs: nextVisitInMs(progress.next_visit_at === null ? null : Date.parse(progress.next_visit_at)),
    runsElsewhere: true,
  }
}

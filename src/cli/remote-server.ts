// Commands that ask a running server instead of opening the store.

import { ApiError, type Client, type ClientResponse, createClient } from '../api/client.ts'
import type { Config } from '../config/schema.ts'
import { AppError } from '../lib/errors.ts'
import { HOLD_REASONS } from '../ports/hold-reasons.ts'
import type { LiveSnapshot } from './live/live-snapshot.ts'

/** Null when no server is named. */
export function createServerClient({ server, token }: Pick<Config, 'server' | 'token'>): Client | null {
  return server === null ? null : createClient({ baseUrl: server, token })
}

/** Errors of the server end a command as those of the store do. */
export async function callServer<T>(client: Client, work: (client: Client) => Promise<T>): Promise<T> {
  try {
    return await work(client)
  } catch (error) {
    throw error instanceof ApiError ? new AppError(error.code, error.message, { cause: error }) : error
  }
}

/** The whole id of a crawl that is named by its beginning. */
export async function findCrawlId(client: Client, beginning: string): Promise<string> {
  const { items } = await client.listCrawls({ query: { text: beginning, limit: 1000 } })
  const [id, ...others] = items.map(({ crawl_id }) => crawl_id).filter((one) => one.startsWith(beginning))
  if (id === undefined) throw new AppError('CRAWL_NOT_FOUND', `The server has no crawl "${beginning}".`)
  if (others.length > 0) throw new AppError('CRAWL_AMBIGUOUS', `More than one crawl begins with "${beginning}".`)
  return id
}

export type RemoteProgress = ClientResponse<'listCrawls'>['items'][number]

/** What the views of this program show. */
export function toLiveSnapshot(progress: RemoteProgress): LiveSnapshot {
  return {
    crawlId: progress.crawl_id,
    rootUrl: progress.root_url,
    status: progress.status,
    reason: progress.reason,
    ledger: progress.states,
    sitemaps: progress.sitemaps,
    bytes: progress.bytes,
    rejected: {},
    maxPages: null,
    elapsedMs: progress.active_ms,
    pagesPerSecond: progress.pages_per_second,
    inFlight: progress.in_flight,
    hosts: [],
    waits: [],
    held: HOLD_REASONS.find((reason) => reason === progress.held) ?? null,
    draining: false,
  }
}

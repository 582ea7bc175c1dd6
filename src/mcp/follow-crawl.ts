// Waits for a crawl and reports its progress to the client while it runs.

import type { ServerContext } from '@modelcontextprotocol/server'
import type { ClientResponse } from '../api/client.ts'
import type { Clock } from '../lib/clock.ts'
import type { McpAccess, McpClient } from './mcp-client.ts'

export type CrawlState = ClientResponse<'getCrawl'>

const POLL_MS = 500

export interface FollowDependencies {
  client: Pick<McpClient, 'getCrawl'>
  clock: Clock
  context: Pick<ServerContext, 'mcpReq'>
}

/** Returns when the crawl has ended, pauses or has nothing to visit, or after `waitMs`. */
export async function followCrawl(
  crawlId: string,
  waitMs: number,
  { client, clock, context }: FollowDependencies,
): Promise<CrawlState> {
  const { signal, _meta, notify } = context.mcpReq
  const endsAt = clock.now() + waitMs
  let reported = -1
  for (;;) {
    const crawl = await client.getCrawl({ params: { crawl_id: crawlId } })
    const token = _meta?.progressToken
    // Progress must increase.
    if (token !== undefined && crawl.completed > reported) {
      reported = crawl.completed
      const params = { progressToken: token, progress: reported, message: describeCrawl(crawl) }
      await notify({ method: 'notifications/progress', params })
    }
    if (crawl.status !== 'running' || clock.now() >= endsAt || signal.aborted) return crawl
    await pause(Math.min(POLL_MS, Math.max(0, endsAt - clock.now())), clock, signal)
  }
}

/** Refuses before anything is started, if too many calls wait. */
export async function withWait<T>({ beginWait }: Pick<McpAccess, 'beginWait'>, run: () => Promise<T>): Promise<T> {
  const endWait = beginWait()
  try {
    return await run()
  } finally {
    endWait()
  }
}

export function describeCrawl({ status, pages, total, pending, failed }: CrawlState): string {
  return `${status}: ${pages} pages visited, ${pending} URLs queued, ${failed} failed, ${total} URLs known`
}

function pause(ms: number, clock: Clock, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      cancel()
      signal.removeEventListener('abort', end)
      resolve()
    }
    const cancel = clock.after(ms, end)
    signal.addEventListener('abort', end)
  })
}

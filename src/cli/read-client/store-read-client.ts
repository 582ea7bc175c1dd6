// Answers what commands read from a store that this process opens, with the handlers of the API.

import type { StreamedResponse } from '../../api/contract/route.ts'
import type { Caller } from '../../api/handlers.ts'
import { localCaller } from '../../api/local-caller.ts'
import type { Config } from '../../config/schema.ts'
import type { PageVersion } from '../../ports/pages.ts'
import type { SearchIndex } from '../../ports/search.ts'
import type { Openers, ReadSession } from '../io.ts'
import type { ReadCalls, ReadClient, ReadRoute } from './read-client.ts'
import { type StoreHandlers, storeHandlers } from './store-handlers.ts'

const STREAMS: ReadonlySet<string> = new Set<ReadRoute>(['getPageRaw', 'getPageText', 'getPageMarkdown'])

export interface StoreReadClient extends ReadClient {
  session: ReadSession
  /** Null if nothing is indexed yet. If it is null or fails, the next call tries again. */
  openIndex(): Promise<SearchIndex | null>
  close(): Promise<void>
}

export async function openStoreReadClient(config: Config, openers: Openers): Promise<StoreReadClient> {
  const session = await openers.openReadSession(config)
  let opened: ReturnType<Openers['openSearchIndex']> | null = null
  const openIndex = async () => {
    opened ??= openers.openSearchIndex(config, session.pages)
    const opening = opened
    let found: Awaited<typeof opening> = null
    try {
      found = await opening
    } finally {
      if (found === null && opened === opening) opened = null
    }
    return found?.index ?? null
  }
  const readPage = async (version: PageVersion) => {
    const { readArchivedPage } = await import('../../engine/pages/read-archived-page.ts')
    return readArchivedPage(version, session)
  }
  return {
    ...toReadCalls(storeHandlers({ config, session, openIndex, readPage, loadFilterLists: openers.loadFilterLists })),
    session,
    openIndex,
    findCrawlId: async (prefix) => (await session.crawls.find(prefix)).id,
    async *listPoliteness(crawlId) {
      const { politenessJson } = await import('../../api/views/politeness-json.ts')
      const { PolicyTable } = await import('../../config/policies/policy-table.ts')
      const { settings } = await session.crawls.find(crawlId)
      const policies = new PolicyTable(await session.policies.list())
      for await (const host of session.diagnostics.politeness(crawlId)) yield politenessJson(host, settings, policies)
    },
    async close() {
      await (await opened)?.close()
      await session.close()
    },
  }
}

/** Streams become responses, as a server's do. */
function toReadCalls(handlers: StoreHandlers): ReadCalls {
  const caller = localCaller()
  const calls = Object.entries(handlers).map(([name, handler]) => {
    const run = handler as (input: unknown, caller: Caller) => Promise<object>
    const call = async (input: unknown) => {
      const result = await run(input, caller)
      return STREAMS.has(name) ? toResponse(result as StreamedResponse) : result
    }
    return [name, call]
  })
  return Object.fromEntries(calls) as ReadCalls
}

async function toResponse({ body }: StreamedResponse): Promise<Response> {
  const isWhole = typeof body === 'string' || body instanceof Uint8Array
  const chunks = isWhole ? [body] : await Array.fromAsync(body)
  return new Response(Buffer.concat(chunks.map((chunk) => Buffer.from(chunk))))
}

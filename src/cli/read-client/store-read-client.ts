// Answers what commands read from a store that this process opens, with the handlers of the API.

import type { StreamedResponse } from '../../api/contract/route.ts'
import type { Caller } from '../../api/handlers.ts'
import { localCaller } from '../../api/local-caller.ts'
import type { Config } from '../../config/schema.ts'
import type { Io } from '../io.ts'
import type { ReadCalls, ReadClient, ReadRoute } from './read-client.ts'
import { type StoreHandlers, storeHandlers } from './store-handlers.ts'

const STREAMS: ReadonlySet<string> = new Set<ReadRoute>(['getPageRaw', 'getPageText', 'getPageMarkdown'])

export async function openStoreReadClient(config: Config, io: Io): Promise<ReadClient & { close(): Promise<void> }> {
  const readSession = await io.openReadSession(config)
  let opened: ReturnType<Io['openSearchIndex']> | null = null
  const openIndex = () => {
    opened ??= io.openSearchIndex(config, readSession.pages)
    return opened
  }
  return {
    ...toReadCalls(
      storeHandlers({
        config,
        session: readSession,
        openIndex: async () => (await openIndex())?.index ?? null,
        async readPage(version) {
          const { readArchivedPage } = await import('../../engine/pages/read-archived-page.ts')
          return readArchivedPage(version, readSession)
        },
      }),
    ),
    findCrawlId: async (prefix) => (await readSession.crawls.find(prefix)).id,
    async *listPoliteness(crawlId) {
      const { politenessJson } = await import('../../api/views/politeness-json.ts')
      const { PolicyTable } = await import('../../config/policies/policy-table.ts')
      const { settings } = await readSession.crawls.find(crawlId)
      const policies = new PolicyTable(await readSession.policies.list())
      for await (const host of readSession.diagnostics.politeness(crawlId))
        yield politenessJson(host, settings, policies)
    },
    async close() {
      await (await opened)?.close()
      await readSession.close()
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

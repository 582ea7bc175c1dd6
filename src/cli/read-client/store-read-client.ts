// Answers what commands read from a store that this process opens, with the handlers of the API. Each command loads only
// the handlers that it calls.

import type { StreamedResponse } from '../../api/contract/route.ts'
import { localCaller } from '../../api/local-caller.ts'
import type { Config } from '../../config/schema.ts'
import { systemClock } from '../../lib/clock.ts'
import type { Io, ReadSession } from '../io.ts'
import type { ReadCalls, ReadClient } from './read-client.ts'

export async function openStoreReadClient(config: Config, io: Io): Promise<ReadClient & { close(): Promise<void> }> {
  const readSession = await io.openReadSession(config)
  let opened: ReturnType<Io['openSearchIndex']> | null = null
  const openIndex = () => {
    opened ??= io.openSearchIndex(config, readSession.pages)
    return opened
  }
  return {
    ...storeReadCalls(config, readSession, openIndex),
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

function storeReadCalls(
  config: Config,
  session: ReadSession,
  openIndex: () => ReturnType<Io['openSearchIndex']>,
): ReadCalls {
  const caller = localCaller()
  const { crawls, pages, urls, changes, diagnostics } = session
  const clock = systemClock
  const pageRoutes = async () => {
    const { pageHandlers } = await import('../../api/routes/pages.ts')
    const { readArchivedPage } = await import('../../engine/pages/read-archived-page.ts')
    const pageCache = { read: (version: Parameters<typeof readArchivedPage>[0]) => readArchivedPage(version, session) }
    return pageHandlers({ pages, versionReader: session, pageCache })
  }
  const changeRoutes = async () => {
    const { changeHandlers } = await import('../../api/routes/changes.ts')
    return changeHandlers({ changes, crawls, pages, versionReader: session })
  }
  const searchRoutes = async () => {
    const { searchHandlers } = await import('../../api/routes/search.ts')
    const search = (await openIndex())?.index ?? null
    return searchHandlers({ config, clock, crawls, pages, search })
  }
  return {
    async listWorkers(input) {
      const { listWorkersHandler } = await import('../../api/routes/workers.ts')
      return listWorkersHandler(session)(input, caller)
    },
    async verifyCrawl(input) {
      const { verifyHandlers } = await import('../../api/routes/verify.ts')
      return verifyHandlers({ crawls, threadUrls: urls }).verifyCrawl(input, caller)
    },
    async listTraps(input) {
      const { listTrapsHandler } = await import('../../api/routes/hosts.ts')
      return listTrapsHandler({ crawls, diagnostics })(input, caller)
    },
    async compareCrawls(input) {
      const { compareHandlers } = await import('../../api/routes/compare.ts')
      return compareHandlers({ crawls, urls, pages, clock }).compareCrawls(input, caller)
    },
    findPages: async (input) => (await pageRoutes()).findPages(input, caller),
    getPage: async (input) => (await pageRoutes()).getPage(input, caller),
    getPageRaw: async (input) => toResponse(await (await pageRoutes()).getPageRaw(input, caller)),
    getPageText: async (input) => toResponse(await (await pageRoutes()).getPageText(input, caller)),
    getPageMarkdown: async (input) => toResponse(await (await pageRoutes()).getPageMarkdown(input, caller)),
    getPageData: async (input) => (await pageRoutes()).getPageData(input, caller),
    extractFromPage: async (input) => (await pageRoutes()).extractFromPage(input, caller),
    diffPages: async (input) => (await changeRoutes()).diffPages(input, caller),
    listChanges: async (input) => (await changeRoutes()).listChanges(input, caller),
    countChanges: async (input) => (await changeRoutes()).countChanges(input, caller),
    getChange: async (input) => (await changeRoutes()).getChange(input, caller),
    search: async (input) => (await searchRoutes()).search(input, caller),
    getIndex: async (input) => (await searchRoutes()).getIndex(input, caller),
  }
}

async function toResponse({ body }: StreamedResponse): Promise<Response> {
  const isWhole = typeof body === 'string' || body instanceof Uint8Array
  const chunks = isWhole ? [body] : await Array.fromAsync(body)
  return new Response(Buffer.concat(chunks.map((chunk) => Buffer.from(chunk))))
}

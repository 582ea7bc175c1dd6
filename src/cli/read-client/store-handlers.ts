// API handlers over a store that this process has opened for reading. Each is loaded when it is first called.

import type { HandlersFor } from '../../api/handlers.ts'
import type { Config } from '../../config/schema.ts'
import type { PageReader } from '../../engine/pages/read-archived-page.ts'
import { systemClock } from '../../lib/clock.ts'
import { lazy } from '../../lib/lazy.ts'
import type { SearchIndex } from '../../ports/search.ts'
import type { Openers, ReadSession } from '../io.ts'
import type { ReadRoute } from './read-client.ts'

export interface StoreHandlerDependencies {
  config: Config
  session: ReadSession
  readPage: PageReader
  /** Null if nothing is indexed. */
  openIndex(): Promise<SearchIndex | null>
  loadFilterLists: Openers['loadFilterLists']
}

export type StoreHandlers = HandlersFor<ReadRoute | 'getPageChunks'>

export function storeHandlers(dependencies: StoreHandlerDependencies): StoreHandlers {
  const { config, session, readPage, openIndex, loadFilterLists } = dependencies
  const { crawls, pages, urls, changes, diagnostics } = session
  const clock = systemClock
  const pageRoutes = lazy(async () => {
    const { pageHandlers } = await import('../../api/routes/pages.ts')
    return pageHandlers({ pages, versionReader: session, pageCache: { read: readPage } })
  })
  const changeRoutes = lazy(async () => {
    const { changeHandlers } = await import('../../api/routes/changes.ts')
    return changeHandlers({ changes, crawls, pages, versionReader: session })
  })
  let searching: { index: SearchIndex | null; routes: HandlersFor<'search' | 'getIndex'> } | null = null
  const searchRoutes = async () => {
    const [{ searchHandlers }, index] = await Promise.all([import('../../api/routes/search.ts'), openIndex()])
    // The index may have been created meanwhile.
    if (searching === null || searching.index !== index) {
      searching = { index, routes: searchHandlers({ config, clock, crawls, pages, search: index }) }
    }
    return searching.routes
  }
  return {
    async listWorkers(input, caller) {
      const { listWorkersHandler } = await import('../../api/routes/workers.ts')
      return listWorkersHandler(session)(input, caller)
    },
    async verifyCrawl(input, caller) {
      const { verifyHandlers } = await import('../../api/routes/verify.ts')
      return verifyHandlers({ crawls, threadUrls: urls }).verifyCrawl(input, caller)
    },
    async listTraps(input, caller) {
      const { listTrapsHandler } = await import('../../api/routes/hosts.ts')
      return listTrapsHandler({ crawls, diagnostics })(input, caller)
    },
    async compareCrawls(input, caller) {
      const { compareHandlers } = await import('../../api/routes/compare.ts')
      return compareHandlers({ crawls, urls, pages, clock }).compareCrawls(input, caller)
    },
    async explainUrl(input, caller) {
      const { explainUrlHandler } = await import('../../api/routes/urls.ts')
      return explainUrlHandler({ ...session, clock, loadFilterLists })(input, caller)
    },
    findPages: async (input, caller) => (await pageRoutes()).findPages(input, caller),
    getPage: async (input, caller) => (await pageRoutes()).getPage(input, caller),
    getPageRaw: async (input, caller) => (await pageRoutes()).getPageRaw(input, caller),
    getPageText: async (input, caller) => (await pageRoutes()).getPageText(input, caller),
    getPageMarkdown: async (input, caller) => (await pageRoutes()).getPageMarkdown(input, caller),
    getPageChunks: async (input, caller) => (await pageRoutes()).getPageChunks(input, caller),
    getPageData: async (input, caller) => (await pageRoutes()).getPageData(input, caller),
    extractFromPage: async (input, caller) => (await pageRoutes()).extractFromPage(input, caller),
    diffPages: async (input, caller) => (await changeRoutes()).diffPages(input, caller),
    listChanges: async (input, caller) => (await changeRoutes()).listChanges(input, caller),
    countChanges: async (input, caller) => (await changeRoutes()).countChanges(input, caller),
    getChange: async (input, caller) => (await changeRoutes()).getChange(input, caller),
    search: async (input, caller) => (await searchRoutes()).search(input, caller),
    getIndex: async (input, caller) => (await searchRoutes()).getIndex(input, caller),
  }
}

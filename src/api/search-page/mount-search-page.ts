// /search: a page for readers, who need no token and get no control of crawls. It shows the crawls that the operator
// has chosen and nothing else of the server. Rendered on the server; one small script adds suggestions.

import type { Hono } from 'hono'
import { asAppError, ERRORS } from '../../lib/errors.ts'
import { readSynonyms } from '../../search/query/synonyms.ts'
import { RateLimiter } from '../auth/rate-limiter.ts'
import type { ApiDependencies } from '../handlers.ts'
import { type ApiContext, type ApiEnv, requireAccess } from '../http/request-context.ts'
import { loadAssets } from './assets.ts'
import { mountCachedPages } from './cached-pages.ts'
import { OPEN_SEARCH_TYPE, openSearchDescription } from './open-search.ts'
import { aboutPage, messagePage, type PageFrame, resultsPage, startPage } from './page-html.ts'
import { readPageRequest } from './page-request.ts'
import { dataResponse, htmlResponse } from './page-response.ts'
import type { PublicCrawls } from './public-crawls.ts'
import { createReaderSearch } from './reader-search.ts'

const SUGGESTIONS = 'application/x-suggestions+json; charset=utf-8'
/** Assets have a hash of their content in their address. */
const IMMUTABLE = 'public, max-age=31536000, immutable'
const BURST_SECONDS = 5
/** Minimum burst for a rate below one per second. */
const MIN_BURST = 5

type Respond = (c: ApiContext) => Promise<Response>

export function mountSearchPage(app: Hono<ApiEnv>, dependencies: ApiDependencies, publicCrawls: PublicCrawls): void {
  const { guard, config, clock, search: index } = dependencies
  const assets = loadAssets(config.searchColor)
  const frame: PageFrame = { title: config.searchTitle, assets }
  const synonyms = readSynonyms(config.synonyms)
  const readerSearch = index === null ? null : createReaderSearch({ index, publicCrawls, synonyms, clock })
  const perSecond = config.publicSearchRate
  const limiter = new RateLimiter({ perSecond, burst: Math.max(MIN_BURST, perSecond * BURST_SECONDS) }, clock)

  const mount = (path: string, respond: Respond) => {
    app.get(path, requireAccess(guard, { scope: 'read', isOpen: true }, `GET ${path}`), respond)
  }
  /** Answers with a page, also if it fails or the reader asks too often. */
  const mountPage = (path: string, render: (c: ApiContext) => Promise<Response>) =>
    mount(path, async (c) => {
      const waitSeconds = limiter.take(guard.clientIdentityOf(c.env.incoming).address)
      if (waitSeconds > 0) {
        const page = await messagePage(frame, 'Too many searches', `Try again in ${waitSeconds} s.`)
        return htmlResponse(page, 429, { 'retry-after': String(waitSeconds) })
      }
      return render(c).catch((error: unknown) => failedResponse(error))
    })
  const failedResponse = async (error: unknown) => {
    const { code, message } = asAppError(error)
    const { http } = ERRORS[code]
    dependencies.log.warn('search page failed', { code, message })
    return htmlResponse(await messagePage(frame, 'The search is not available', 'Try again later.'), http)
  }

  for (const [path, asset] of [
    ['/search/style.css', assets.style],
    ['/search/suggest.js', assets.script],
  ] as const) {
    mount(path, async () => dataResponse(asset.body, asset.type, { 'cache-control': IMMUTABLE }))
  }
  mount('/search/opensearch.xml', async (c) =>
    dataResponse(String(await openSearchDescription(frame.title, c.get('auth').baseUrl)), OPEN_SEARCH_TYPE),
  )
  mountPage('/search/about', async (c) => htmlResponse(await aboutPage(frame, c.get('auth').baseUrl)))
  mountPage('/search/suggest', async (c) => {
    const text = c.req.query('q') ?? ''
    const texts = (await readerSearch?.suggest(text)) ?? []
    return dataResponse(JSON.stringify([text, texts]), SUGGESTIONS)
  })
  mountPage('/search', async (c) => {
    const request = readPageRequest(new URL(c.req.url).searchParams)
    const isEmpty = request.text === '' && Object.keys(request.facets).length === 0
    if (isEmpty) return htmlResponse(await startPage(frame))
    if (readerSearch === null) {
      return htmlResponse(await messagePage(frame, 'Nothing to search yet', 'No page is indexed. Try again later.'))
    }
    const found = await readerSearch.search(request, c.req.header('accept-language') ?? null)
    return htmlResponse(await resultsPage(frame, request, found))
  })
  mountCachedPages(app, { mountPage, frame, publicCrawls, dependencies })
}

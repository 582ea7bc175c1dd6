// Builds the HTTP client of a crawl with its resolver and address guard, and loads filter lists from files.

import { readFile } from 'node:fs/promises'
import { DNS_DEFAULTS, NameResolver, SYSTEM_SOURCES } from '../../engine/dns/name-resolver.ts'
import { buildAddressGuard } from '../../engine/fetch/address-guard.ts'
import type { CookieJar } from '../../engine/fetch/cookies/cookie-jar.ts'
import type { Fetcher } from '../../engine/fetch/fetch-result.ts'
import { type ClientSettings, HttpClient } from '../../engine/fetch/http-client.ts'
import { buildProxyRoutes } from '../../engine/fetch/proxy/proxy-routes.ts'
import type { RequestHeadMode } from '../../engine/fetch/request-head-mode.ts'
import { type FilterList, loadFilterLists } from '../../engine/url/filter-list.ts'
import { systemClock } from '../../lib/clock.ts'
import { AppError } from '../../lib/errors.ts'
import type { CrawlSettings } from '../../ports/crawls.ts'

export type FetcherSettings = Pick<
  CrawlSettings,
  | 'userAgent'
  | 'headers'
  | 'auth'
  | 'timeoutMs'
  | 'maxBodyBytes'
  | 'allowPrivate'
  | 'allow'
  | 'insecure'
  | 'perHost'
  | 'proxies'
>

export interface FetcherOptions {
  requestHeads: RequestHeadMode
  /** Null if the crawl has no cookies. */
  jar: CookieJar | null
  onProxyChange: ClientSettings['onProxyChange']
}

const DEFAULT_OPTIONS: FetcherOptions = { requestHeads: 'off', jar: null, onProxyChange: () => undefined }

/** Custom headers are sent to the origins of `startUrls` only. */
export function buildFetcher(
  settings: FetcherSettings,
  startUrls: readonly string[],
  { requestHeads, jar, onProxyChange }: FetcherOptions = DEFAULT_OPTIONS,
): Fetcher {
  const resolver = new NameResolver(DNS_DEFAULTS, SYSTEM_SOURCES, systemClock)
  const guard = buildAddressGuard(settings)
  return new HttpClient(
    {
      ...settings,
      startUrls,
      connectionsPerOrigin: settings.perHost,
      sentHeads: requestHeads,
      resolver,
      guard,
      jar,
      proxies: buildProxyRoutes(settings.proxies, process.env),
      onProxyChange,
    },
    systemClock,
  )
}

export async function loadFilterFiles(files: string[]): Promise<FilterList | null> {
  if (files.length === 0) return null
  const texts = files.map(async (file) => {
    try {
      return await readFile(file, 'utf8')
    } catch (cause) {
      throw new AppError('FILE_UNREADABLE', `The filter list ${file} cannot be read.`, { cause })
    }
  })
  return loadFilterLists(await Promise.all(texts))
}

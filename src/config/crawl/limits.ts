// Settings of a crawl: how far it goes, how large and how slow a response may be, and how often a request is retried.

import { DEFAULT_MAX_LINKS } from '../defaults.ts'
import { crawlSetting, optional, setting } from '../setting.ts'
import { byteSize, wholeNumber } from '../setting-kinds.ts'

const DAY_MS = 86_400_000
const GIB = 1024 ** 3

export const LIMITS_SETTINGS = {
  depth: crawlSetting(optional(wholeNumber(0, 65_000), 'Follow links up to this many steps from a seed.'), {
    label: 'Max depth',
    storedAs: 'maxDepth',
    isChangeable: true,
  }),
  maxPages: crawlSetting(optional(wholeNumber(1, 1e12), 'Stop after this many pages.'), {
    isChangeable: true,
  }),
  timeout: crawlSetting(
    setting(wholeNumber(1, DAY_MS, 'MS'), 60_000, 'Maximum time for one request, from start to last byte.'),
    { label: 'Request timeout', storedAs: 'timeoutMs', isChangeable: true },
  ),
  retries: crawlSetting(setting(wholeNumber(0, 100), 2, 'Retries after a failure that may be temporary.'), {
    isChangeable: true,
  }),
  retryDelay: crawlSetting(
    setting(wholeNumber(0, DAY_MS, 'MS'), 1000, 'Delay before the first retry; doubles with each retry.'),
    { storedAs: 'retryDelayMs', isChangeable: true },
  ),
  retryMaxDelay: crawlSetting(
    setting(
      wholeNumber(0, DAY_MS, 'MS'),
      300_000,
      'Longest delay before a retry. A host may ask for up to an hour with Retry-After.',
    ),
    { storedAs: 'retryMaxDelayMs', isChangeable: true },
  ),
  maxBody: crawlSetting(
    setting(
      byteSize(1, GIB),
      10 * 1024 ** 2,
      'Maximum body size. Longer bodies are cut; a compressed body that unpacks to more fails.',
    ),
    { label: 'Max body size', storedAs: 'maxBodyBytes' },
  ),
  maxPathSegments: crawlSetting(setting(wholeNumber(1, 1024), 20, 'Skip URLs with more path segments than this.')),
  maxQueryParams: crawlSetting(setting(wholeNumber(0, 1024), 32, 'Skip URLs with more query parameters than this.'), {
    label: 'Max query parameters',
  }),
  maxLinks: crawlSetting(
    setting(
      wholeNumber(0, 10_000_000),
      DEFAULT_MAX_LINKS,
      'Maximum distinct links to follow from one page; the rest are counted as too_many_links.',
    ),
    { label: 'Max links per page' },
  ),
} as const

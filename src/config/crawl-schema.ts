// Every setting of a crawl, written once: flags, environment, config files, the API, the web form, the stored document,
// the reference pages and the contract cases all follow from these entries. CONTRIBUTING.md has the recipe.

import { resolve } from 'node:path'
import pkg from '../../package.json' with { type: 'json' }
import { systemTimeZone } from '../lib/cron.ts'
import { REDACTED } from '../lib/redact.ts'
import { allowEntry, authEntry, cookieLine, proxyEntry } from './address-kinds.ts'
import { DEFAULT_MAX_LINKS } from './defaults.ts'
import { extractRules } from './extract-kind.ts'
import { crawlSetting, onByDefault, optional, setting } from './setting.ts'
import {
  byteSize,
  headerLine,
  headerValue,
  listOf,
  oneOf,
  onOff,
  orKeyword,
  patterns,
  positiveNumber,
  selectorOrTime,
  selectors,
  sizeCaps,
  text,
  wholeNumber,
} from './setting-kinds.ts'
import { cronExpression, formatTimeSpan, parseTimeSpan, timeSpanText, timeZone } from './time-kinds.ts'
import { maskAuthEntry } from './values/auth-entry.ts'
import { maskCookieLine } from './values/cookie-line.ts'
import { maskCustomHeader } from './values/custom-header.ts'
import { maskProxyEntry } from './values/proxy-entry.ts'

const DAY_MS = 86_400_000
const GIB = 1024 ** 3
const MAX_RENDER_WAIT_MS = 30_000

/** In ms, unless it is a word. */
export type Recrawl = number | 'adaptive' | 'off'

export const CRAWL_SCHEMA = {
  depth: crawlSetting('Limits', optional(wholeNumber(0, 65_000), 'Follow links up to this many steps from a seed.'), {
    label: 'Max depth',
    storedAs: 'maxDepth',
    isChangeable: true,
  }),
  maxPages: crawlSetting('Limits', optional(wholeNumber(1, 1e12), 'Stop after this many pages.'), {
    isChangeable: true,
  }),
  scope: crawlSetting(
    'Scope',
    setting(
      oneOf(['host', 'domain', 'prefix', 'any']),
      'host',
      'URLs to visit: those of the seed host (with and without www), of its registrable domain, under the seed path, or any.',
    ),
    { choiceLabels: { host: 'Host', domain: 'Domain', prefix: 'Path prefix', any: 'Any host' } },
  ),
  include: crawlSetting(
    'Scope',
    setting(patterns(), [], 'Visit only URLs that match one of these patterns; repeatable.'),
    { label: 'Include patterns', isChangeable: true },
  ),
  exclude: crawlSetting('Scope', setting(patterns(), [], 'Skip URLs that match one of these patterns; repeatable.'), {
    label: 'Exclude patterns',
    isChangeable: true,
  }),
  recrawl: crawlSetting(
    'Freshness',
    setting(
      orKeyword(orKeyword(timeSpanText(), 'adaptive'), 'off'),
      'off',
      'Visit URLs again: at this interval, or adaptive (the more often a page changes, the more often it is visited). The crawl then never completes by itself.',
    ),
    { label: 'Revisit', isChangeable: true, toStored: parseRecrawl, fromStored: formatRecrawl },
  ),
  recrawlMin: crawlSetting(
    'Freshness',
    setting(timeSpanText(), '15m', 'Shortest interval between adaptive revisits of a URL.'),
    {
      label: 'Shortest interval',
      storedAs: 'recrawlMinMs',
      isChangeable: true,
      toStored: parseTimeSpan,
      fromStored: formatTimeSpan,
    },
  ),
  recrawlMax: crawlSetting(
    'Freshness',
    setting(
      timeSpanText(),
      '30d',
      'Longest interval between visits, for adaptive revisits and for pages that no longer exist.',
    ),
    {
      label: 'Longest interval',
      storedAs: 'recrawlMaxMs',
      isChangeable: true,
      toStored: parseTimeSpan,
      fromStored: formatTimeSpan,
    },
  ),
  recrawlBudget: crawlSetting('Freshness', optional(wholeNumber(1, 1e9), 'Maximum revisits per day.'), {
    label: 'Revisits per day',
    isChangeable: true,
  }),
  schedule: crawlSetting(
    'Freshness',
    optional(
      cronExpression(),
      'Visit all URLs again at these times: "0 3 * * *" is daily at 3:00. With --recrawl, URLs that are due wait for the next of these times.',
    ),
    { isChangeable: true },
  ),
  timeZone: crawlSetting(
    'Freshness',
    setting(timeZone(), systemTimeZone(), 'Time zone of --schedule, such as Europe/Berlin.', 'that of the machine'),
    { isChangeable: true },
  ),
  ignoreChanges: crawlSetting(
    'Freshness',
    setting(patterns(), [], 'Ignore changes in lines of text that match one of these patterns; repeatable.'),
    { label: 'Ignore changes in lines', isChangeable: true },
  ),
  ignoreSelector: crawlSetting(
    'Freshness',
    setting(selectors(), [], 'Ignore changes in elements that match one of these CSS selectors; repeatable.'),
    { label: 'Ignore changes in elements', storedAs: 'ignoreSelectors', isChangeable: true },
  ),
  concurrency: crawlSetting(
    'Speed',
    setting(wholeNumber(1, 10_000), 64, 'Maximum requests in flight, over all hosts.'),
    { isChangeable: true },
  ),
  perHost: crawlSetting('Speed', setting(wholeNumber(1, 1000), 1, 'Maximum requests in flight per host.'), {
    label: 'Requests per host',
    isChangeable: true,
  }),
  delay: crawlSetting(
    'Speed',
    setting(
      orKeyword(wholeNumber(0, DAY_MS, 'MS'), 'auto'),
      'auto',
      'Gap between requests to a host; auto follows its response time.',
    ),
    { storedAs: 'delayMs', isChangeable: true },
  ),
  timeout: crawlSetting(
    'Limits',
    setting(wholeNumber(1, DAY_MS, 'MS'), 60_000, 'Maximum time for one request, from start to last byte.'),
    { label: 'Request timeout', storedAs: 'timeoutMs', isChangeable: true },
  ),
  retries: crawlSetting('Limits', setting(wholeNumber(0, 100), 2, 'Retries after a failure that may be temporary.'), {
    isChangeable: true,
  }),
  retryDelay: crawlSetting(
    'Limits',
    setting(wholeNumber(0, DAY_MS, 'MS'), 1000, 'Delay before the first retry; doubles with each retry.'),
    { storedAs: 'retryDelayMs', isChangeable: true },
  ),
  retryMaxDelay: crawlSetting(
    'Limits',
    setting(
      wholeNumber(0, DAY_MS, 'MS'),
      300_000,
      'Longest delay before a retry. A host may ask for up to an hour with Retry-After.',
    ),
    { storedAs: 'retryMaxDelayMs', isChangeable: true },
  ),
  maxBody: crawlSetting(
    'Limits',
    setting(
      byteSize(1, GIB),
      10 * 1024 ** 2,
      'Maximum body size. Longer bodies are cut; a compressed body that unpacks to more fails.',
    ),
    { label: 'Max body size', storedAs: 'maxBodyBytes' },
  ),
  userAgent: crawlSetting(
    'Politeness',
    setting(headerValue('S'), `Orbweaver/${pkg.version}`, 'User-Agent of all requests.'),
  ),
  header: crawlSetting(
    'Politeness',
    setting(
      listOf(headerLine()),
      [],
      'Extra request header for the origins of the seeds, or for one origin: "https://host K: V"; "* K: V" is sent to every host. Repeatable.',
    ),
    { label: 'Request headers', storedAs: 'headers', needsAdmin: true, mask: maskEach(maskCustomHeader) },
  ),
  followRedirects: crawlSetting('Scope', onByDefault('Follow redirects.', 'Do not follow redirects.')),
  ignoreRobots: crawlSetting('Politeness', setting(onOff(), false, 'Ignore robots.txt.'), {
    label: 'Ignore robots.txt',
    needsAdmin: true,
  }),
  metaRobots: crawlSetting(
    'Politeness',
    onByDefault(
      'Obey robots directives in pages and in X-Robots-Tag headers.',
      'Ignore robots directives in pages and in X-Robots-Tag headers.',
    ),
    { label: 'Obey meta robots' },
  ),
  relNofollow: crawlSetting(
    'Politeness',
    onByDefault('Skip links marked nofollow.', 'Also follow links marked nofollow.'),
    { label: 'Obey nofollow' },
  ),
  skipUgcSponsored: crawlSetting('Politeness', setting(onOff(), false, 'Also skip links marked ugc or sponsored.'), {
    label: 'Skip UGC and sponsored links',
  }),
  sitemaps: crawlSetting(
    'Scope',
    onByDefault('Read the sitemaps listed in robots.txt.', 'Do not read the sitemaps listed in robots.txt.'),
  ),
  sitemapOnly: crawlSetting(
    'Scope',
    setting(onOff(), false, 'Follow no links: visit only the seeds and the URLs in sitemaps.'),
    { label: 'Sitemap URLs only' },
  ),
  maxRate: crawlSetting(
    'Speed',
    optional(positiveNumber(100_000), 'Maximum requests per second, over all hosts; 0.5 is one every two seconds.'),
    { label: 'Max requests per second', isChangeable: true },
  ),
  perIp: crawlSetting('Speed', setting(wholeNumber(1, 10_000), 8, 'Maximum requests in flight per server address.'), {
    label: 'Requests per IP address',
    isChangeable: true,
  }),
  cooldown: crawlSetting(
    'Speed',
    setting(
      wholeNumber(0, DAY_MS, 'MS'),
      500,
      'Pause after a host refuses or fails often. Doubles up to ten times this; a host that stops answering is paused longer. 0 disables it.',
    ),
    { storedAs: 'cooldownMs', isChangeable: true },
  ),
  cooldownMax: crawlSetting(
    'Speed',
    optional(
      wholeNumber(0, DAY_MS, 'MS'),
      'Longest pause after refusals and failures. If omitted, ten times --cooldown.',
    ),
    { storedAs: 'cooldownMaxMs', isChangeable: true },
  ),
  jitter: crawlSetting(
    'Speed',
    setting(
      wholeNumber(0, DAY_MS, 'MS'),
      0,
      'Lengthens each gap between two requests to a host by a random time up to this, and at most by the gap itself.',
    ),
    { storedAs: 'jitterMs', isChangeable: true },
  ),
  hostPatience: crawlSetting(
    'Speed',
    setting(
      wholeNumber(0, DAY_MS, 'MS'),
      300_000,
      'How long to keep trying a host that stops answering or refuses everything before giving up its URLs.',
    ),
    { storedAs: 'hostPatienceMs', isChangeable: true },
  ),
  keepSessionIds: crawlSetting(
    'Scope',
    setting(
      onOff(),
      false,
      'Keep URL parameters that do not identify a page: session ids, sort links of directory listings, print, share and reply links.',
    ),
    { label: 'Keep session IDs' },
  ),
  maxPathSegments: crawlSetting(
    'Limits',
    setting(wholeNumber(1, 1024), 20, 'Skip URLs with more path segments than this.'),
  ),
  maxQueryParams: crawlSetting(
    'Limits',
    setting(wholeNumber(0, 1024), 32, 'Skip URLs with more query parameters than this.'),
    { label: 'Max query parameters' },
  ),
  maxLinks: crawlSetting(
    'Limits',
    setting(
      wholeNumber(0, 10_000_000),
      DEFAULT_MAX_LINKS,
      'Maximum distinct links to follow from one page; the rest are counted as too_many_links.',
    ),
    { label: 'Max links per page' },
  ),
  traps: crawlSetting(
    'Scope',
    onByDefault(
      'Visit possible spider traps last, and exclude those that repeat themselves.',
      'Visit possible spider traps like any other URL.',
    ),
    { label: 'Trap detection' },
  ),
  filterList: crawlSetting(
    'Scope',
    setting(listOf(text('FILE')), [], 'Skip links that match a filter list in Adblock syntax; repeatable.'),
    {
      label: 'Filter lists',
      storedAs: 'filterLists',
      needsAdmin: true,
      toStored: (files: string[]) => files.map((file) => resolve(file)),
    },
  ),
  documents: crawlSetting(
    'Scope',
    onByDefault(
      'Extract links and text from plain text, feeds, PDF, EPUB, Word and OpenDocument files.',
      'Do not extract links and text from plain text, feeds, PDF, EPUB, Word and OpenDocument files.',
    ),
  ),
  render: crawlSetting(
    'Rendering',
    setting(
      oneOf(['off', 'auto', 'all']),
      'off',
      'Run the scripts of HTML pages in a browser before reading them: of no page, of pages that need it, or of all.',
    ),
    { label: 'Render pages', choiceLabels: { off: 'Off', auto: 'If needed', all: 'All' } },
  ),
  renderInclude: crawlSetting(
    'Rendering',
    setting(patterns(), [], 'Render only URLs that match one of these patterns; repeatable.'),
    { label: 'Render include patterns' },
  ),
  renderWait: crawlSetting(
    'Rendering',
    optional(
      selectorOrTime(MAX_RENDER_WAIT_MS),
      'Besides waiting for a page to settle, wait for an element (CSS selector) or this many milliseconds.',
    ),
    { label: 'Wait for' },
  ),
  renderScroll: crawlSetting(
    'Rendering',
    setting(onOff(), false, 'Scroll down rendered pages until nothing more is loaded.'),
    { label: 'Scroll pages' },
  ),
  screenshots: crawlSetting('Rendering', setting(onOff(), false, 'Archive a screenshot of each rendered page.')),
  hashRoutes: crawlSetting(
    'Rendering',
    setting(onOff(), false, 'Treat #/path and #!path as URLs of their own, which only rendering tells apart.'),
  ),
  scriptUrls: crawlSetting(
    'Scope',
    setting(
      onOff(),
      false,
      'Also visit URLs that scripts of a page name but no page links: strings that look like pages, and data requests that return HTML. Up to 100 per page.',
    ),
    { label: 'URLs in scripts' },
  ),
  archive: crawlSetting(
    'Archive',
    setting(oneOf(['all', 'html', 'none']), 'all', 'Responses to archive: all, only visited HTML pages, or none.'),
    { label: 'Archived responses', choiceLabels: { all: 'All', html: 'HTML pages', none: 'None' } },
  ),
  requisites: crawlSetting(
    'Archive',
    setting(
      onOff(),
      false,
      'Also archive the images, style sheets, fonts and scripts of visited HTML pages, from any host. They do not count as pages.',
    ),
    { label: 'Page requisites' },
  ),
  archiveMax: crawlSetting(
    'Archive',
    setting(
      sizeCaps(0, GIB),
      [],
      'Do not archive larger responses: of any type (5m) or of one (application/pdf=20m, image/*=1m); repeatable. 0: no limit besides --max-body.',
    ),
    { label: 'Max archived size' },
  ),
  archiveInclude: crawlSetting(
    'Archive',
    setting(
      patterns(),
      [],
      'Archive only URLs that match one of these patterns; repeatable. To select a host: ^https?://docs\\.example\\.com/.',
    ),
    { label: 'Archive include patterns' },
  ),
  archiveExclude: crawlSetting(
    'Archive',
    setting(
      patterns(),
      [],
      'Do not archive URLs that match one of these patterns; repeatable. To select a host: ^https?://ads\\.example\\.com/.',
    ),
    { label: 'Archive exclude patterns' },
  ),
  archiveRequests: crawlSetting(
    'Archive',
    setting(
      oneOf(['off', 'masked', 'full']),
      'off',
      'Archive the request line and headers with each response: masked hides the values of --header and of other headers that may be secret.',
    ),
    { label: 'Archived requests', choiceLabels: { off: 'Off', masked: 'Masked', full: 'Full' }, needsAdmin: true },
  ),
  skipNearDuplicates: crawlSetting(
    'Archive',
    setting(onOff(), false, 'Do not archive pages whose text is nearly the same as that of an archived page.'),
    { label: 'Skip near-duplicates' },
  ),
  extract: crawlSetting(
    'Data',
    setting(
      extractRules(),
      [],
      'Extract fields from HTML pages by the rules in a JSON file, such as {"name": "price", "selector": ".price", "type": "number"}; repeatable.',
    ),
    { label: 'Extracted fields' },
  ),
  structuredData: crawlSetting(
    'Data',
    setting(
      onOff(),
      false,
      'Store the structured data of HTML pages: JSON-LD, microdata, RDFa, Open Graph, tables and linked feeds.',
    ),
    { label: 'Structured data' },
  ),
  keep: crawlSetting(
    'Archive',
    setting(wholeNumber(0, 36_500, 'DAYS'), 1826, 'How long to keep archived pages; 0 keeps them forever.'),
    {
      label: 'Retention',
      storedAs: 'keepDays',
      isChangeable: true,
      toStored: (days: number) => (days === 0 ? null : days),
      fromStored: (days: number | null) => days ?? 0,
    },
  ),
  allowPrivate: crawlSetting(
    'Network',
    setting(onOff(), false, 'Allow loopback, private and other non-public addresses.'),
    { label: 'Allow private addresses', needsAdmin: true },
  ),
  allow: crawlSetting(
    'Network',
    setting(listOf(allowEntry()), [], 'Allow one non-public address, range (10.0.0.0/8) or host; repeatable.'),
    { label: 'Allowed addresses', needsAdmin: true },
  ),
  insecure: crawlSetting(
    'Network',
    setting(onOff(), false, 'Accept certificates that are expired, for another host or from an unknown issuer.'),
    { label: 'Allow invalid certificates', needsAdmin: true },
  ),
  proxy: crawlSetting(
    'Network',
    setting(
      listOf(proxyEntry()),
      [],
      'Proxy for all hosts, or for some: "http://user:password@proxy:3128", "*.example.com=socks5h://proxy:1080", "example.com=direct"; "env" reads HTTP_PROXY, HTTPS_PROXY, ALL_PROXY and NO_PROXY. Several proxies take turns. Repeatable.',
    ),
    { label: 'Proxies', storedAs: 'proxies', needsAdmin: true, isChangeable: true, mask: maskEach(maskProxyEntry) },
  ),
  auth: crawlSetting(
    'Network',
    setting(
      listOf(authEntry()),
      [],
      'Credentials for a host: "example.com=user:password" or "example.com=bearer TOKEN". Repeatable.',
    ),
    { label: 'Credentials', needsAdmin: true, isChangeable: true, mask: maskEach(maskAuthEntry) },
  ),
  cookies: crawlSetting(
    'Network',
    setting(
      oneOf(['off', 'on']),
      'off',
      'Keep the cookies that sites set, and send them back to these sites. They last as long as the crawl.',
    ),
    { choiceLabels: { off: 'Off', on: 'On' }, isChangeable: true },
  ),
  cookie: crawlSetting(
    'Network',
    setting(
      listOf(cookieLine()),
      [],
      'Cookie to start with, as a site would set it: "name=value; Domain=example.com; Path=/; Secure". Repeatable.',
    ),
    {
      label: 'First cookies',
      storedAs: 'startCookies',
      needsAdmin: true,
      isChangeable: true,
      mask: maskEach(maskCookieLine),
    },
  ),
} as const

function maskEach(mask: (text: string, mask: string) => string): (texts: readonly string[]) => string[] {
  return (texts) => texts.map((text) => mask(text, REDACTED))
}

function parseRecrawl(text: string): Recrawl {
  return text === 'adaptive' || text === 'off' ? text : parseTimeSpan(text)
}

function formatRecrawl(recrawl: Recrawl): string {
  return typeof recrawl === 'number' ? formatTimeSpan(recrawl) : recrawl
}

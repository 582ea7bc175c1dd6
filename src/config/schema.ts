// Every setting of the program, written once. The key gives its other names: maxPages is --max-pages on the command
// line, ORBWEAVER_MAX_PAGES in the environment and max_pages in a file. A switch that is on by default is turned off
// with --no-name. docs/reference/configuration.md and --help come from here.

import { availableParallelism, totalmem } from 'node:os'
import { EXPORT_FORMATS } from '../engine/export/formats.ts'
import { DEFAULT_MAX_LINKS } from '../ports/crawls.ts'
import { RETRIABLE_STATES } from '../ports/state.ts'
import { defaultMemory, MIN_MEMORY } from './memory-budget.ts'
import { onByDefault, optional, setting } from './setting.ts'
import {
  allowEntry,
  byteSize,
  headerLine,
  headerValue,
  httpUrl,
  listOf,
  oneOf,
  onOff,
  orKeyword,
  patterns,
  positiveNumber,
  type SettingKind,
  sizeCaps,
  storePlace,
  storeUrl,
  subsetOf,
  text,
  timeSpan,
  wholeNumber,
} from './setting-kinds.ts'

/** What a process can do. */
export const ROLES = ['api', 'worker', 'maintenance', 'indexer'] as const
export type Role = (typeof ROLES)[number]

const DAY_MS = 86_400_000
const GIB = 1024 ** 3
const MAX_DISK_BYTES = 1024 * 1024 * GIB
/** Of the container, if there is one. */
const MACHINE_BYTES = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY)

export const SCHEMA = {
  data: setting(text('DIR'), './orbweaver-data', 'Where crawls are kept.'),
  store: optional(
    storeUrl(),
    'A Postgres database that holds the crawls instead of a file in --data; what was kept of pages stays there.',
  ),
  from: optional(storePlace(), 'The store to move: a data directory, or a Postgres database.'),
  to: optional(storePlace(), 'Where a store is moved: a new or empty data directory, or an empty Postgres database.'),
  force: setting(onOff(), false, 'Move a store also when segments of its archive are missing here.'),
  config: optional(text('FILE'), 'A JSON file with settings; the command line and the environment go before it.'),
  seeds: optional(
    text('FILE'),
    'Read more start urls from a file, one per line or a JSON array; - reads standard input.',
  ),
  depth: optional(wholeNumber(0, 65_000), 'Follow links at most so many steps from a start url.'),
  maxPages: optional(wholeNumber(1, 1e12), 'Stop after exactly so many pages have been visited.'),
  scope: setting(
    oneOf(['host', 'domain', 'prefix', 'any']),
    'host',
    'Which urls belong: the start host and its www twin, its registrable domain, everything under the start path, or any.',
  ),
  include: setting(patterns(), [], 'Visit only urls that match one of these; repeatable.'),
  exclude: setting(patterns(), [], 'Leave out urls that match one of these; repeatable.'),
  concurrency: setting(wholeNumber(1, 10_000), 64, 'Requests under way at a time, over all hosts.'),
  perHost: setting(wholeNumber(1, 1000), 1, 'Requests under way at a time to one host.'),
  delay: setting(
    orKeyword(wholeNumber(0, DAY_MS, 'MS'), 'auto'),
    'auto',
    'Gap between requests to one host; auto follows its own response time.',
  ),
  timeout: setting(wholeNumber(1, DAY_MS, 'MS'), 60_000, 'Longest time for one request, from start to last byte.'),
  retries: setting(wholeNumber(0, 100), 2, 'Further attempts at a url that failed in a way that may pass.'),
  retryDelay: setting(
    wholeNumber(0, DAY_MS, 'MS'),
    1000,
    'Wait before the first retry; doubles with each further one.',
  ),
  maxBody: setting(
    byteSize(1, GIB),
    10 * 1024 ** 2,
    'Longest body that is read; the rest is cut, and a compressed body that is longer fails.',
  ),
  userAgent: setting(headerValue('S'), 'Orbweaver/0.1', 'How the crawler names itself.'),
  header: setting(
    listOf(headerLine()),
    [],
    'A header for requests to the origins (scheme, host and port) of the start URLs, or to the one named before it: "https://host K: V"; "* K: V" goes to every host. Repeatable.',
  ),
  followRedirects: onByDefault('Visit the targets of redirects.', 'Do not visit the targets of redirects.'),
  ignoreRobots: setting(onOff(), false, 'Do not read robots.txt.'),
  metaRobots: onByDefault(
    'Heed robots directives in pages and in X-Robots-Tag headers.',
    'Ignore robots directives in pages and in X-Robots-Tag headers.',
  ),
  relNofollow: onByDefault('Leave out links marked nofollow.', 'Follow links marked nofollow as well.'),
  skipUgcSponsored: setting(onOff(), false, 'Leave out links marked ugc or sponsored as well.'),
  sitemaps: onByDefault('Read the sitemaps that robots.txt names.', 'Do not read the sitemaps that robots.txt names.'),
  sitemap: setting(
    listOf(text('URL')),
    [],
    'A sitemap to read: a url, or a path such as /sitemap.xml on every start host; repeatable.',
  ),
  sitemapOnly: setting(onOff(), false, 'Follow no links: visit the start urls and what sitemaps list.'),
  maxRate: optional(positiveNumber(100_000), 'Most requests a second, over all hosts; 0.5 is one every two seconds.'),
  perIp: setting(wholeNumber(1, 10_000), 8, 'Requests under way at a time to one server address.'),
  cooldown: setting(
    wholeNumber(0, DAY_MS, 'MS'),
    500,
    'Pause after a host refuses or fails often; doubles up to ten times this, and a silent host is left alone for longer. 0: none.',
  ),
  hostPatience: setting(
    wholeNumber(0, DAY_MS, 'MS'),
    300_000,
    'How long a host that stops answering, or refuses everything, is tried again before its urls are given up.',
  ),
  keepSessionIds: setting(
    onOff(),
    false,
    'Keep parameters that name no other page: session ids, sort links of directory listings, print, share and reply links.',
  ),
  maxPathSegments: setting(wholeNumber(1, 1024), 20, 'Leave out urls whose path has more parts.'),
  maxQueryParams: setting(wholeNumber(0, 1024), 32, 'Leave out urls whose query has more parameters.'),
  maxLinks: setting(
    wholeNumber(0, 10_000_000),
    DEFAULT_MAX_LINKS,
    'Different links followed from one page; further ones are counted as too_many_links.',
  ),
  traps: onByDefault(
    'Try URLs of possible traps last, and exclude those that repeat themselves.',
    'Visit URLs of possible traps like all others.',
  ),
  filterList: setting(listOf(text('FILE')), [], 'Leave out links that match a list in the Adblock syntax; repeatable.'),
  documents: onByDefault(
    'Read links and text of plain text, feeds, PDF, EPUB, Word and OpenDocument files as well.',
    'Do not read plain text, feeds, PDF, EPUB, Word and OpenDocument files.',
  ),
  archive: setting(
    oneOf(['all', 'html', 'none']),
    'all',
    'Which answers are kept with their bytes: every one, visited html pages, or none.',
  ),
  archiveMax: setting(
    sizeCaps(0, GIB),
    [],
    'Longer answers are not kept: of any type, as 5m, or of one, as application/pdf=20m or image/*=1m; repeatable. 0: no limit but --max-body.',
  ),
  archiveInclude: setting(
    patterns(),
    [],
    'Keep only urls that match one of these; repeatable. A host is a pattern too, such as ^https?://docs\\.example\\.com/.',
  ),
  archiveExclude: setting(
    patterns(),
    [],
    'Keep no urls that match one of these; repeatable. A host is a pattern too, such as ^https?://ads\\.example\\.com/.',
  ),
  archiveRequests: setting(
    oneOf(['off', 'masked', 'full']),
    'off',
    'Keep the request line and headers with every answer: without the values of --header and of other headers that may be secret, or with them.',
  ),
  skipNearDuplicates: setting(onOff(), false, 'Do not keep pages whose text is nearly that of one that is kept.'),
  keep: setting(wholeNumber(0, 36_500, 'DAYS'), 1826, 'How long kept pages stay in the archive; 0: for ever.'),
  durability: setting(
    oneOf(['disk', 'process']),
    'disk',
    'When an answer counts as kept: once the disk has it, which survives a power cut, or once the system has it, which survives a killed process.',
  ),
  segmentSize: setting(byteSize(1024 ** 2, 100 * GIB), GIB, 'A segment of the archive is closed when it is so large.'),
  segmentAge: setting(
    wholeNumber(1000, 365 * DAY_MS, 'MS'),
    DAY_MS,
    'A segment of the archive is closed when it is so old.',
  ),
  allowPrivate: setting(onOff(), false, 'Allow loopback, private and other addresses that are not public.'),
  allow: setting(
    listOf(allowEntry()),
    [],
    'An address, a range such as 10.0.0.0/8 or a host that may be visited though it is not public; repeatable.',
  ),
  insecure: setting(onOff(), false, 'Accept certificates that are expired, of another host or of an unknown issuer.'),
  maxDisk: setting(
    byteSize(0, MAX_DISK_BYTES),
    0,
    'The crawl waits when the data directory takes so much, until there is room again; 0: no limit.',
  ),
  minFreeDisk: setting(
    byteSize(0, MAX_DISK_BYTES),
    200 * 1024 ** 2,
    'The crawl waits while the disk has less room left than this; 0: until it is full, which ends the run.',
  ),
  memory: setting(
    byteSize(MIN_MEMORY, MAX_DISK_BYTES),
    defaultMemory(MACHINE_BYTES),
    'Memory for this process. Caches and batches are shares of it; while the process takes more, caches are emptied and the crawl waits.',
    'half of what the machine or its container has, at least 256m and at most 4g',
  ),
  maxStoreLatency: setting(
    wholeNumber(0, 600_000, 'MS'),
    5000,
    'The crawl waits when commits to the store take longer on the mean, until they take half of that; 0: no limit.',
  ),
  storeConnections: setting(
    wholeNumber(2, 100),
    4,
    'Connections of a process to the database for its crawls; beats, the API and the index take a few of their own.',
  ),
  threads: setting(
    wholeNumber(1, 64),
    Math.max(1, Math.min(8, availableParallelism() - 1)),
    'Crawl threads.',
    'one less than the cores, at most 8',
  ),
  workerRate: optional(
    positiveNumber(1e6),
    'Most requests a second of this process, over all its crawls; --max-rate is for one crawl over all workers.',
  ),
  seenUrls: setting(
    wholeNumber(1000, 1e9),
    4_000_000,
    'Urls remembered in memory to spare the store; 12 bytes each, and no more than --memory leaves room for.',
  ),
  lease: setting(
    wholeNumber(1000, DAY_MS, 'MS'),
    30_000,
    'Time after which the work of a silent crawl thread is taken back.',
  ),
  stallTime: setting(
    wholeNumber(500, DAY_MS, 'MS'),
    10_000,
    'Processor time that a crawl thread may use on one page without a pause before it is replaced.',
  ),
  roles: setting(
    subsetOf(ROLES),
    [...ROLES],
    'What the process does: answer requests, crawl, look after the fleet, fill the search index.',
  ),
  host: setting(
    text('ADDRESS'),
    '127.0.0.1',
    'Address that the API and the web app listen on; one that others can reach needs a token first.',
  ),
  port: setting(wholeNumber(0, 65_535), 8080, 'Port of the API and the web app; 0: any that is free.'),
  publicUrl: optional(httpUrl(), 'Where people reach the server, when a proxy stands in between.'),
  requireToken: setting(onOff(), false, 'Want a token also from this machine.'),
  apiRate: setting(positiveNumber(1e6), 200, 'Requests a second that the API takes from one token or address.'),
  tokenSockets: setting(
    wholeNumber(1, 1000),
    100,
    'WebSockets and streams of events that one token, or one address without a token, may have open.',
  ),
  tokenMinDelay: optional(
    wholeNumber(0, DAY_MS, 'MS'),
    'The least gap between requests to one host that a token of the scope crawl may ask for.',
  ),
  tokenMaxConcurrency: optional(
    wholeNumber(1, 10_000),
    'The most requests at a time that a token of the scope crawl may ask for.',
  ),
  tokenMaxPerHost: optional(
    wholeNumber(1, 1000),
    'The most requests at a time to one host that a token of the scope crawl may ask for.',
  ),
  tokenMaxBody: optional(byteSize(1, GIB), 'The longest body that a token of the scope crawl may ask for.'),
  expires: optional(timeSpan(), 'How long a new token is good, such as 12h, 30d or 1y; for good when left out.'),
  server: optional(httpUrl(), 'A running server to ask instead of opening the store.'),
  token: optional(text('TOKEN'), 'The token for --server.'),
  healthHost: setting(text('ADDRESS'), '127.0.0.1', 'Address of the health port.'),
  healthPort: setting(
    wholeNumber(0, 65_535),
    8081,
    'Port for /healthz, /readyz and /metrics; 0: any that is free, named in the log.',
  ),
  healthSecret: optional(
    headerValue('SECRET'),
    'What callers of /metrics and /records/ on the health port must send as a bearer token, and what this process sends to others for pages; the same for all processes of a store. Better given by the environment than as a flag.',
  ),
  address: optional(text('URL'), 'Where others reach the health port; made from --health-host when left out.'),
  grace: setting(
    wholeNumber(0, DAY_MS, 'MS'),
    20_000,
    'How long a worker that shall end finishes what is under way; what is left then goes back to the queue.',
  ),
  min: setting(wholeNumber(0, 1000), 1, 'Fewest worker processes of a fleet.'),
  max: setting(
    wholeNumber(1, 1000),
    Math.max(1, availableParallelism()),
    'Most worker processes of a fleet.',
    'the number of cores',
  ),
  logFormat: setting(
    oneOf(['auto', 'text', 'json']),
    'auto',
    'How a process that stays writes its log; auto: text for a terminal, JSON for anything else.',
  ),
  logLevel: setting(oneOf(['debug', 'info', 'warn', 'error']), 'info', 'What the log leaves out: anything below this.'),
  maxIndexLag: setting(
    wholeNumber(0, 1e12, 'PAGES'),
    50_000,
    'The crawl waits when more pages than this are to be indexed, until half of them are; 0: it never does.',
  ),
  indexEntities: setting(onOff(), false, 'Look for people, places and organisations in English pages; slow.'),
  synonyms: optional(text('FILE'), 'Words that mean the same in searches: a line each, with commas between them.'),
  limit: setting(wholeNumber(1, 100), 10, 'How many results.'),
  crawl: optional(text('ID'), 'Only pages of this crawl.'),
  detach: setting(onOff(), false, 'Leave the crawl to the workers of the store instead of crawling in this process.'),
  state: optional(oneOf(RETRIABLE_STATES), 'Only urls in this state.'),
  json: setting(onOff(), false, 'Print JSON, one object a line, instead of text for people.'),
  quiet: setting(onOff(), false, 'Print nothing but errors (and, with --json, events).'),
  version: optional(wholeNumber(1, 1e9), 'Which version of a page, counted from 1; the newest when left out.'),
  raw: setting(onOff(), false, 'Print the body of a page as it is, unpacked.'),
  wire: setting(onOff(), false, 'Print the body of a page as it was received, packed if it came so.'),
  text: setting(onOff(), false, 'Print the visible text of a page, a line for each block.'),
  release: optional(text('PATTERN'), 'Let this pattern of urls go; its urls are queued again.'),
  format: setting(
    oneOf(EXPORT_FORMATS),
    'jsonl',
    'Format of an export: urls as lines, JSON or a table, the link graph, or the pages that were kept, as gzipped WARC (a .warc.gz file) or as records.',
  ),
  out: optional(text('FILE'), 'Where an export goes; standard output when left out.'),
} as const

export type SettingName = keyof typeof SCHEMA

type SettingValue<S> = S extends { kind: SettingKind<infer T>; default: infer D }
  ? D extends null
    ? T | null
    : T
  : never

export type Config = { readonly [K in SettingName]: SettingValue<(typeof SCHEMA)[K]> }

export const SETTING_NAMES = Object.keys(SCHEMA) as SettingName[]

export function toKebabCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

export function flagOf(name: SettingName): string {
  const isOnByDefault = SCHEMA[name].kind.isSwitch === true && SCHEMA[name].default === true
  return isOnByDefault ? `no-${toKebabCase(name)}` : toKebabCase(name)
}

export function envOf(name: SettingName): string {
  return `ORBWEAVER_${fileKeyOf(name).toUpperCase()}`
}

export function fileKeyOf(name: SettingName): string {
  return toKebabCase(name).replaceAll('-', '_')
}

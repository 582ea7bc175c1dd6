// Every setting of the program, written once. The key gives its other names: maxPages is --max-pages on the command
// line, ORBWEAVER_MAX_PAGES in the environment and max_pages in a file. A switch that is on by default is turned off
// with --no-name. docs/reference/configuration.md and --help are generated from here.

import { availableParallelism, totalmem } from 'node:os'
import { RETRIABLE_STATES } from '../lib/states.ts'
import { httpUrl, s3Url, searchUrl, storePlace, storeUrl } from './address-kinds.ts'
import { CRAWL_SCHEMA } from './crawl-schema.ts'
import { extractRules } from './extract-kind.ts'
import { defaultMemory, MIN_MEMORY } from './memory-budget.ts'
import { optional, setting } from './setting.ts'
import {
  byteSize,
  headerValue,
  hexColor,
  listOf,
  oneOf,
  onOff,
  positiveNumber,
  type SettingKind,
  subsetOf,
  text,
  wholeNumber,
} from './setting-kinds.ts'
import { moment, timeSpan } from './time-kinds.ts'
import { CHANGE_KINDS } from './values/change-kinds.ts'
import { EXPORT_FORMATS } from './values/export-formats.ts'

/** What a process can do. */
export const ROLES = ['api', 'worker', 'maintenance', 'indexer'] as const
export type Role = (typeof ROLES)[number]

const DAY_MS = 86_400_000
const GIB = 1024 ** 3
const LARGEST_DISK = 1024 * 1024 * GIB
/** The memory of the container, if there is one. */
const MACHINE_BYTES = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY)

export const SCHEMA = {
  data: setting(text('DIR'), './orbweaver-data', 'Data directory.'),
  store: optional(
    storeUrl(),
    'Postgres database to use instead of a file in --data; the hosts of a primary and its standbys are separated by commas. Archived pages stay in --data, or go to --archive-store.',
  ),
  from: optional(storePlace(), 'Store to move: a data directory or a Postgres database.'),
  to: optional(storePlace(), 'Target of a move: a new or empty data directory, or an empty Postgres database.'),
  force: setting(
    onOff(),
    false,
    'Move a store even if archive segments are missing here; overwrite the output file of an export or audit; drain the last worker.',
  ),
  config: optional(text('FILE'), 'JSON file with settings. Flags and environment variables override it.'),
  seeds: optional(
    text('FILE'),
    'Read more seeds from a file, one per line or a JSON array; - reads standard input, s3://bucket/key an object.',
  ),
  cookiesFrom: optional(
    text('FILE'),
    'Start with the cookies that a browser has exported: cookies.txt in Netscape format, or JSON. Only those of the sites of the start URLs are read; turns --cookies on.',
  ),
  policies: optional(
    text('FILE'),
    'JSON file with policies of hosts, which are set in the store: a list of rows such as {"host": "*.example.com", "delay": 2000}.',
  ),
  sitemap: setting(
    listOf(text('URL')),
    [],
    'Sitemap to read: a URL, or a path such as /sitemap.xml on every seed host; repeatable.',
  ),
  ...CRAWL_SCHEMA,
  durability: setting(
    oneOf(['disk', 'process']),
    'disk',
    'When a response counts as archived: after it is synced to disk (survives a power cut) or written to the system (survives kill -9).',
  ),
  segmentSize: optional(
    byteSize(1024 ** 2, 100 * GIB),
    'Close an archive segment at this size. If omitted, 1g, or 64m with --archive-store, where it is at most 4g.',
  ),
  segmentAge: optional(
    wholeNumber(1000, 365 * DAY_MS, 'MS'),
    'Close an archive segment at this age. If omitted, a day, or 5 minutes with --archive-store.',
  ),
  archiveStore: setting(
    listOf(s3Url()),
    [],
    'Bucket of an S3-compatible object storage for the archive: closed segments are uploaded, and every process reads them there. The same for all processes of a store. Parameters: endpoint, region, style (path or host), mode (read: takes no new segments). Repeatable; each segment is in one of the buckets.',
  ),
  archiveCache: setting(
    byteSize(0, LARGEST_DISK),
    GIB,
    'Size of the copies of uploaded segments that stay in the data directory; at most half of --max-disk.',
  ),
  maxUploadBacklog: setting(
    byteSize(1024 ** 2, LARGEST_DISK),
    4 * GIB,
    'Hold the crawl while more than this waits to be uploaded to --archive-store, until half of it is done.',
  ),
  uploadBeforeCommit: setting(
    onOff(),
    false,
    'Commit a page only after it is in --archive-store: losing a machine then loses no page. A commit waits up to 250 ms for others and then for the upload, which makes many small segments.',
  ),
  maxDisk: setting(
    byteSize(0, LARGEST_DISK),
    0,
    'Hold the crawl while the data directory is larger than this; 0: no limit.',
  ),
  minFreeDisk: setting(
    byteSize(0, LARGEST_DISK),
    200 * 1024 ** 2,
    'Hold the crawl while less disk space than this is free; 0: run until the disk is full, which ends the run.',
  ),
  memory: setting(
    byteSize(MIN_MEMORY, LARGEST_DISK),
    defaultMemory(MACHINE_BYTES),
    'Memory budget of the process. Caches and batches are sized from it; above it, caches are dropped and the crawl is on hold.',
    'half the memory of the machine or its container, at least 256m and at most 4g',
  ),
  maxStoreLatency: setting(
    wholeNumber(0, 600_000, 'MS'),
    5000,
    'Hold the crawl while commits take longer than this on average, until they take half of it; 0: no limit.',
  ),
  storeConnections: setting(
    wholeNumber(2, 100),
    4,
    'Database connections per process for crawling; heartbeats, the API and the index use a few more.',
  ),
  browser: optional(
    text('FILE'),
    'Browser for rendering: Chromium, Chrome or a headless shell. If omitted, one of the machine or the npm package @sparticuz/chromium.',
  ),
  threads: setting(
    wholeNumber(1, 64),
    Math.max(1, Math.min(8, availableParallelism() - 1)),
    'Crawl threads.',
    'one less than the number of cores, at most 8',
  ),
  workerRate: optional(
    positiveNumber(1e6),
    'Maximum requests per second of this process, over all its crawls; --max-rate limits one crawl over all workers.',
  ),
  seenUrls: setting(
    wholeNumber(1000, 1e9),
    4_000_000,
    'URLs remembered in memory, to save lookups in the store; 12 bytes each, limited by --memory.',
  ),
  lease: setting(
    wholeNumber(1000, DAY_MS, 'MS'),
    30_000,
    'Requeue the URLs of a crawl thread that has not renewed its leases for this long.',
  ),
  pollMin: setting(
    wholeNumber(1, DAY_MS, 'MS'),
    100,
    'Shortest wait before a crawl thread that found no work looks again. Doubles up to --poll-max.',
  ),
  pollMax: setting(
    wholeNumber(1, DAY_MS, 'MS'),
    30_000,
    'Longest wait before a crawl thread looks for work again. New work wakes it at once.',
  ),
  stallTime: setting(
    wholeNumber(500, DAY_MS, 'MS'),
    10_000,
    'Replace a crawl thread that spends this much CPU time on one page without yielding.',
  ),
  roles: setting(
    subsetOf(ROLES),
    [...ROLES],
    'What the process does: serve the API, crawl, maintain the fleet, index pages.',
  ),
  host: setting(
    text('ADDRESS'),
    '127.0.0.1',
    'Address the API and the web app listen on. An address that others can reach requires a token first.',
  ),
  port: setting(wholeNumber(0, 65_535), 8080, 'Port of the API and the web app; 0: any free port.'),
  publicUrl: optional(httpUrl(), 'URL of the server as users see it, if it is behind a proxy.'),
  requireToken: setting(onOff(), false, 'Require a token even for requests from this machine.'),
  apiRate: setting(
    positiveNumber(1e6),
    200,
    'API requests per second allowed per token or address, in each API process.',
  ),
  publicSearch: setting(
    listOf(text('CRAWL')),
    [],
    'Serve a public search page at /search, without a token, over the pages of this crawl (an id or its first characters) or of "all" crawls; repeatable. Archived copies of these pages are shown too.',
  ),
  publicSearchRate: setting(
    positiveNumber(1e6),
    10,
    'Requests per second to the search page allowed per address. Behind a proxy, all readers have one address.',
  ),
  searchTitle: setting(text('TEXT'), 'Search', 'Name of the search page.'),
  searchColor: setting(
    hexColor(),
    '#2457c5',
    'Colour of links and buttons of the search page. Adjusted until it is readable.',
  ),
  tokenSockets: setting(
    wholeNumber(1, 1000),
    100,
    'Maximum open WebSockets and event streams per token, or per address without a token, in each API process.',
  ),
  tokenMinDelay: optional(
    wholeNumber(0, DAY_MS, 'MS'),
    'Minimum --delay that a token with the scope "crawl" may request.',
  ),
  tokenMaxConcurrency: optional(
    wholeNumber(1, 10_000),
    'Maximum --concurrency that a token with the scope "crawl" may request.',
  ),
  tokenMaxPerHost: optional(
    wholeNumber(1, 1000),
    'Maximum --per-host that a token with the scope "crawl" may request.',
  ),
  tokenMaxBody: optional(byteSize(1, GIB), 'Maximum --max-body that a token with the scope "crawl" may request.'),
  expires: optional(timeSpan(), 'Lifetime of a new token, such as 12h, 30d or 1y; unlimited if omitted.'),
  server: optional(httpUrl(), 'Use a running server instead of opening the store.'),
  token: optional(text('TOKEN'), 'Token for --server.'),
  allowCrawl: setting(onOff(), false, 'Let MCP clients start and cancel crawls.'),
  mcpMaxPages: setting(wholeNumber(1, 1e9), 1000, 'Maximum pages of a crawl that an MCP client starts.'),
  healthHost: setting(text('ADDRESS'), '127.0.0.1', 'Address of the health port.'),
  healthPort: setting(
    wholeNumber(0, 65_535),
    8081,
    'Port for /healthz, /readyz and /metrics; 0: any free port, which is logged.',
  ),
  healthSecret: optional(
    headerValue('SECRET'),
    'Bearer token required for /metrics and /records/ on the health port, and sent to other processes to read their pages; the same for all processes of a store. Prefer the environment variable to the flag.',
  ),
  address: optional(text('URL'), 'Where other processes reach the health port; derived from --health-host if omitted.'),
  grace: setting(
    wholeNumber(0, DAY_MS, 'MS'),
    20_000,
    'How long a stopping worker may finish requests in flight; the rest are requeued.',
  ),
  min: setting(wholeNumber(0, 1000), 1, 'Minimum worker processes of a fleet.'),
  max: setting(
    wholeNumber(1, 1000),
    Math.max(1, availableParallelism()),
    'Maximum worker processes of a fleet.',
    'the number of cores',
  ),
  logFormat: setting(oneOf(['auto', 'text', 'json']), 'auto', 'Log format; auto: text on a terminal, JSON otherwise.'),
  logLevel: setting(oneOf(['debug', 'info', 'warn', 'error']), 'info', 'Lowest level that is logged.'),
  maxIndexLag: setting(
    wholeNumber(0, 1e12, 'PAGES'),
    50_000,
    'Hold the crawl when more pages than this wait to be indexed, and continue when half of them are indexed; 0: never hold it.',
  ),
  indexEntities: setting(onOff(), false, 'Extract people, places and organisations from English pages; slow.'),
  search: optional(
    searchUrl(),
    'OpenSearch or Elasticsearch cluster for the search index of a store in Postgres; the same for all processes of a store. opensearchs:// uses TLS. Credentials are in the URL, or in OPENSEARCH_USERNAME and OPENSEARCH_PASSWORD. Parameters: shards and replicas of each monthly index, refresh (ms).',
  ),
  synonyms: optional(text('FILE'), 'Synonyms for search: one group per line, separated by commas.'),
  limit: setting(wholeNumber(1, 100), 10, 'Number of results.'),
  crawl: optional(text('ID'), 'Only pages of this crawl.'),
  detach: setting(onOff(), false, 'Leave the crawl to the workers of the store instead of crawling in this process.'),
  since: optional(moment(), 'Only changes seen since this time: a date, or a time span such as 6h.'),
  kind: optional(oneOf(CHANGE_KINDS), 'Only changes of this kind.'),
  diff: setting(onOff(), false, 'Show how the text differs.'),
  state: optional(oneOf(RETRIABLE_STATES), 'Only URLs in this state.'),
  last: setting(onOff(), false, 'Show the last audit instead of running a new one.'),
  failOn: setting(
    listOf(text('RULE')),
    [],
    'Fail if a rule of the audit has findings: names separated by commas, with a limit if some are accepted, such as broken-links,slow-pages=10; repeatable.',
  ),
  json: setting(onOff(), false, 'Print JSON, one object per line.'),
  yes: setting(onOff(), false, 'Do not ask for confirmation.'),
  quiet: setting(onOff(), false, 'Print nothing but errors (and, with --json, events).'),
  version: optional(wholeNumber(1, 1e9), 'Page version, counted from 1; the newest if omitted.'),
  raw: setting(onOff(), false, 'Print the decoded body of a page.'),
  wire: setting(onOff(), false, 'Print the body of a page as it was received, still compressed if it was.'),
  text: setting(onOff(), false, 'Print the visible text of a page, one line per block.'),
  markdown: setting(onOff(), false, 'Print the main content of a page as Markdown.'),
  extracted: setting(onOff(), false, 'Print the fields and structured data that were extracted from a page, as JSON.'),
  rules: setting(extractRules(), [], 'JSON file with rules for fields, as for --extract; repeatable.'),
  archived: setting(onOff(), false, 'Read the newest archived version of the page instead of fetching it.'),
  release: optional(text('PATTERN'), 'Release this URL pattern: its URLs are queued again.'),
  format: setting(
    { ...oneOf(EXPORT_FORMATS), placeholder: 'FORMAT' },
    'jsonl',
    'Export format: URLs, with what was extracted from them, as jsonl, json, csv or sqlite; the link graph as graphml, neo4j, cypher or edges; archived pages as warc, wacz or pages.jsonl; their content as markdown (a zip file) or chunks.jsonl.',
  ),
  out: optional(
    text('FILE'),
    'Output file of an export or audit; standard output if omitted. With --format pages.jsonl, s3://bucket/prefix writes each page as an object: <domain>/<yyyy>/<mm>/<dd>/<record id>.json.gz.',
  ),
} as const

export type SettingName = keyof typeof SCHEMA

export type SettingValue<S> = S extends { kind: SettingKind<infer T>; default: infer D }
  ? D extends null
    ? T | null
    : T
  : never

export type Config = { readonly [K in SettingName]: SettingValue<(typeof SCHEMA)[K]> }

export const SETTING_NAMES = Object.keys(SCHEMA) as SettingName[]

export function kebab(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

export function flagOf(name: SettingName): string {
  const isOnByDefault = SCHEMA[name].kind.isSwitch === true && SCHEMA[name].default === true
  return isOnByDefault ? `no-${kebab(name)}` : kebab(name)
}

export function envOf(name: SettingName): string {
  return `ORBWEAVER_${fileKeyOf(name).toUpperCase()}`
}

export function fileKeyOf(name: SettingName): string {
  return kebab(name).replaceAll('-', '_')
}

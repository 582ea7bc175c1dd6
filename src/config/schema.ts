// Every setting of the program, written once. The key gives its other names: maxPages is --max-pages on the command
// line, ORBWEAVER_MAX_PAGES in the environment and max_pages in a file. A switch that is on by default is turned off
// with --no-name. docs/configuration.md and --help come from here.

import { availableParallelism } from 'node:os'
import {
  allowEntry,
  byteSize,
  headerLine,
  headerValue,
  type Kind,
  listOf,
  oneOf,
  onOff,
  orWord,
  pattern,
  positiveNumber,
  text,
  wholeNumber,
} from './kinds.ts'

export interface Setting<T> {
  kind: Kind<T>
  default: T | null
  help: string
  /** For the documentation, where the default depends on the machine. */
  defaultText?: string
}

const DAY_MS = 86_400_000
const GIB = 1024 ** 3

function setting<T>(kind: Kind<T>, fallback: T, help: string, defaultText?: string): Setting<T> & { default: T } {
  return { kind, default: fallback, help, ...(defaultText === undefined ? {} : { defaultText }) }
}

function optional<T>(kind: Kind<T>, help: string): Setting<T> & { default: null } {
  return { kind, default: null, help }
}

export const SCHEMA = {
  data: setting(text('DIR'), './orbweaver-data', 'Where crawls are kept.'),
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
  include: setting(listOf(pattern()), [], 'Visit only urls that match one of these; repeatable.'),
  exclude: setting(listOf(pattern()), [], 'Leave out urls that match one of these; repeatable.'),
  concurrency: setting(wholeNumber(1, 10_000), 64, 'Requests under way at a time, over all hosts.'),
  perHost: setting(wholeNumber(1, 1000), 1, 'Requests under way at a time to one host.'),
  delay: setting(
    orWord(wholeNumber(0, DAY_MS, 'MS'), 'auto'),
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
  header: setting(listOf(headerLine()), [], 'A header sent with every request; repeatable.'),
  followRedirects: setting(onOff(), true, 'Visit the targets of redirects.'),
  ignoreRobots: setting(onOff(), false, 'Do not read robots.txt.'),
  metaRobots: setting(onOff(), true, 'Heed robots directives in pages and in X-Robots-Tag headers.'),
  relNofollow: setting(onOff(), true, 'Leave out links marked nofollow, ugc or sponsored.'),
  sitemaps: setting(onOff(), true, 'Read the sitemaps that robots.txt names.'),
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
    'Pause after a host refuses or fails; doubles up to ten times this, and a silent host is left alone for longer. 0: none.',
  ),
  hostPatience: setting(
    wholeNumber(0, DAY_MS, 'MS'),
    300_000,
    'How long a host that stops answering is tried again before its urls are given up.',
  ),
  keepSessionIds: setting(onOff(), false, 'Take urls that differ in a session id for different ones.'),
  maxPathSegments: setting(wholeNumber(1, 1024), 20, 'Leave out urls whose path has more parts.'),
  maxQueryParams: setting(wholeNumber(0, 1024), 32, 'Leave out urls whose query has more parameters.'),
  traps: setting(onOff(), true, 'Slow and then cap patterns of urls that bring nothing new.'),
  filterList: setting(listOf(text('FILE')), [], 'Leave out links that match a list in the Adblock syntax; repeatable.'),
  documents: setting(onOff(), true, 'Read links and text of plain text, feeds and PDF files as well.'),
  archive: setting(
    oneOf(['all', 'html', 'none']),
    'all',
    'Which answers are kept with their bytes: every one, visited html pages, or none.',
  ),
  archiveMax: setting(byteSize(0, GIB), 0, 'Longer answers are not kept; 0: no limit but --max-body.'),
  archiveInclude: setting(listOf(pattern()), [], 'Keep only urls that match one of these; repeatable.'),
  archiveExclude: setting(listOf(pattern()), [], 'Keep no urls that match one of these; repeatable.'),
  skipNearDuplicates: setting(onOff(), false, 'Do not keep pages whose text is nearly that of one that is kept.'),
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
  threads: setting(
    wholeNumber(1, 64),
    Math.max(1, Math.min(8, availableParallelism() - 1)),
    'Crawl threads.',
    'one less than the cores, at most 8',
  ),
  seenUrls: setting(wholeNumber(1000, 1e9), 4_000_000, 'Urls remembered in memory to spare the store; 12 bytes each.'),
  lease: setting(
    wholeNumber(1000, DAY_MS, 'MS'),
    30_000,
    'Time after which the work of a silent crawl thread is taken back.',
  ),
  json: setting(onOff(), false, 'Print newline-delimited JSON events instead of the live view.'),
  quiet: setting(onOff(), false, 'Print nothing but errors (and, with --json, events).'),
  version: optional(wholeNumber(1, 1e9), 'Which version of a page, counted from 1; the newest when left out.'),
  raw: setting(onOff(), false, 'Print the body of a page as it is.'),
  text: setting(onOff(), false, 'Print the visible text of a page, a line for each block.'),
  release: optional(text('PATTERN'), 'Let this pattern of urls go; its urls are queued again.'),
  format: setting(
    oneOf(['jsonl', 'json', 'csv', 'graphml', 'warc', 'pages.jsonl']),
    'jsonl',
    'Format of an export: urls as lines, JSON or a table, the link graph, or the pages that were kept, as WARC or as records.',
  ),
  out: optional(text('FILE'), 'Where an export goes; standard output when left out.'),
} as const

export type SettingName = keyof typeof SCHEMA

type Value<S> = S extends { kind: Kind<infer T>; default: infer D } ? (D extends null ? T | null : T) : never

export type Config = { readonly [K in SettingName]: Value<(typeof SCHEMA)[K]> }

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

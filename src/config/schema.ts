// Every setting of the program, written once. The key gives its other names: maxPages is --max-pages on the command
// line, ORBWEAVER_MAX_PAGES in the environment and max_pages in a file. A switch that is on by default is turned off
// with --no-name. docs/configuration.md and --help come from here.

import { availableParallelism } from 'node:os'
import {
  byteSize,
  headerLine,
  headerValue,
  type Kind,
  listOf,
  oneOf,
  onOff,
  orWord,
  pattern,
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
  allowPrivate: setting(onOff(), false, 'Allow loopback, private and other addresses that are not public.'),
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
  format: setting(oneOf(['jsonl', 'json', 'csv', 'graphml']), 'jsonl', 'Format of an export.'),
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

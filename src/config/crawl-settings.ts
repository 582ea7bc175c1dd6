// The settings of a crawl: which of the program's settings it keeps, and how they are told in JSON. The command line and
// the API make a crawl from the same schema.

import { resolve } from 'node:path'
import { maskCustomHeader } from '../engine/fetch/custom-headers.ts'
import { closestWord } from '../lib/closest-word.ts'
import { REDACTED } from '../lib/redact.ts'
import { CHANGEABLE_SETTINGS } from '../ports/control.ts'
import type { CrawlSettings } from '../ports/crawls.ts'
import { type Config, fileKeyOf, SCHEMA, type SettingName } from './schema.ts'
import { InvalidValue, showValue } from './setting-kinds.ts'

export const CRAWL_SETTINGS = [
  ...(['depth', 'maxPages', 'scope', 'include', 'exclude', 'concurrency', 'perHost', 'delay', 'timeout'] as const),
  ...(['retries', 'retryDelay', 'maxBody', 'userAgent', 'header', 'followRedirects', 'ignoreRobots'] as const),
  ...(['metaRobots', 'relNofollow', 'skipUgcSponsored', 'sitemaps', 'sitemapOnly', 'maxRate', 'perIp'] as const),
  ...([
    'cooldown',
    'hostPatience',
    'keepSessionIds',
    'maxPathSegments',
    'maxQueryParams',
    'maxLinks',
    'traps',
    'filterList',
  ] as const),
  ...(['allowPrivate', 'allow', 'insecure', 'documents', 'archive', 'archiveMax', 'archiveInclude'] as const),
  ...(['archiveExclude', 'archiveRequests', 'skipNearDuplicates', 'keep'] as const),
] as const satisfies readonly SettingName[]

export type CrawlSettingName = (typeof CRAWL_SETTINGS)[number]
export type CrawlConfig = Pick<Config, CrawlSettingName>

/** What reaches beyond the public web, past the wishes of its sites, or shows the owner's headers: for an admin to allow. */
export const ADMIN_SETTINGS: readonly CrawlSettingName[] = [
  ...(['allowPrivate', 'allow', 'insecure', 'filterList', 'header', 'ignoreRobots', 'archiveRequests'] as const),
]

/** Settings that have another name or unit in a crawl. */
const KEYS: Partial<Record<CrawlSettingName, keyof CrawlSettings>> = {
  depth: 'maxDepth',
  delay: 'delayMs',
  timeout: 'timeoutMs',
  retryDelay: 'retryDelayMs',
  maxBody: 'maxBodyBytes',
  header: 'headers',
  filterList: 'filterLists',
  archiveMax: 'archiveMaxBytes',
  keep: 'keepDays',
  cooldown: 'cooldownMs',
  hostPatience: 'hostPatienceMs',
}

export function crawlKeyOf(name: CrawlSettingName): keyof CrawlSettings {
  return KEYS[name] ?? (name as keyof CrawlSettings)
}

export function isChangeable(name: CrawlSettingName): boolean {
  return CHANGEABLE_SETTINGS.some((key) => key === crawlKeyOf(name))
}

export function toCrawlSettings(config: CrawlConfig): CrawlSettings {
  return {
    scope: config.scope,
    include: config.include,
    exclude: config.exclude,
    maxDepth: config.depth,
    maxPages: config.maxPages,
    concurrency: config.concurrency,
    perHost: config.perHost,
    delayMs: config.delay,
    timeoutMs: config.timeout,
    retries: config.retries,
    retryDelayMs: config.retryDelay,
    maxBodyBytes: config.maxBody,
    userAgent: config.userAgent,
    headers: config.header,
    followRedirects: config.followRedirects,
    ignoreRobots: config.ignoreRobots,
    metaRobots: config.metaRobots,
    relNofollow: config.relNofollow,
    skipUgcSponsored: config.skipUgcSponsored,
    sitemaps: config.sitemaps,
    sitemapOnly: config.sitemapOnly,
    keepSessionIds: config.keepSessionIds,
    maxPathSegments: config.maxPathSegments,
    maxQueryParams: config.maxQueryParams,
    maxLinks: config.maxLinks,
    traps: config.traps,
    filterLists: config.filterList.map((file) => resolve(file)),
    documents: config.documents,
    archive: config.archive,
    archiveMaxBytes: config.archiveMax.findLast(({ type }) => type === null)?.bytes ?? 0,
    archiveMaxByType: Object.fromEntries(
      config.archiveMax.flatMap(({ type, bytes }) => (type === null ? [] : [[type, bytes]])),
    ),
    archiveInclude: config.archiveInclude,
    archiveExclude: config.archiveExclude,
    archiveRequests: config.archiveRequests,
    skipNearDuplicates: config.skipNearDuplicates,
    keepDays: config.keep === 0 ? null : config.keep,
    allowPrivate: config.allowPrivate,
    allow: config.allow,
    insecure: config.insecure,
    perIp: config.perIp,
    maxRate: config.maxRate,
    cooldownMs: config.cooldown,
    hostPatienceMs: config.hostPatience,
  }
}

const FILE_KEYS = CRAWL_SETTINGS.map((name) => ({ name, key: fileKeyOf(name) }))

/** The other way: as a config file would have it. */
export function toSettingsJson(settings: CrawlSettings): Record<string, unknown> {
  const json: Record<string, unknown> = {}
  for (const { name, key } of FILE_KEYS) json[key] = toJsonValue(name, settings)
  return json
}

/** For those who look: a header that a crawl sends may well be a password. */
export function maskedSettings(settings: CrawlSettings): Record<string, unknown> {
  return toSettingsJson({ ...settings, headers: settings.headers.map((line) => maskCustomHeader(line, REDACTED)) })
}

function toJsonValue(name: CrawlSettingName, settings: CrawlSettings): unknown {
  if (name === 'keep') return settings.keepDays ?? 0
  if (name !== 'archiveMax') return settings[crawlKeyOf(name)]
  const { archiveMaxBytes, archiveMaxByType } = settings
  const caps = Object.entries(archiveMaxByType).map(([type, bytes]) => `${type}=${bytes}`)
  return archiveMaxBytes > 0 ? [String(archiveMaxBytes), ...caps] : caps
}

export interface SettingProblem {
  /** By its name in a config file. */
  field: string
  message: string
}

/** Limits the list of errors: a request may contain 100,000 unknown names. */
export const MAX_SETTING_PROBLEMS = 100
const MAX_NAME = 100

/** Values by their names in a config file; what is not given is as `defaults` has it. */
export function checkSettings(
  given: Record<string, unknown>,
  defaults: CrawlConfig,
): { values: CrawlConfig; names: CrawlSettingName[]; problems: SettingProblem[] } {
  const known = new Map(CRAWL_SETTINGS.map((name) => [fileKeyOf(name), name]))
  const values: Record<string, unknown> = Object.fromEntries(CRAWL_SETTINGS.map((name) => [name, defaults[name]]))
  const names: CrawlSettingName[] = []
  const problems: SettingProblem[] = []
  const fields = [...known.keys()]
  for (const [field, raw] of Object.entries(given)) {
    if (problems.length === MAX_SETTING_PROBLEMS) break
    const name = known.get(field)
    if (name === undefined) {
      const meant = closestWord(field, fields)
      const hint = meant === null ? '' : ` Did you mean ${meant}?`
      problems.push({ field: field.slice(0, MAX_NAME), message: `There is no such setting.${hint}` })
      continue
    }
    // No limit, where that is what leaving it out means.
    const value = raw === null && SCHEMA[name].default === null ? null : SCHEMA[name].kind.parse(raw)
    if (value instanceof InvalidValue) {
      const message = `It must be ${value.expected}; it is ${showValue(value.given ?? raw)}.`
      problems.push({ field, message })
    } else {
      names.push(name)
      values[name] = value
    }
  }
  return { values: values as CrawlConfig, names, problems }
}

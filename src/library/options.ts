// The options of the library: the settings of the command line under their names in code.

import type { MoveRequest } from '../cli/io.ts'
import { ARCHIVE_SETTINGS, CRAWL_PROCESS_SETTINGS, REQUEST_SETTINGS } from '../config/command-settings.ts'
import { CRAWL_SETTINGS } from '../config/crawl-settings.ts'
import { configFromOptions } from '../config/load-config.ts'
import type { Config, SettingName } from '../config/schema.ts'
import type { ExtractRule } from '../config/values/extract-rules.ts'
import { AppError } from '../lib/errors.ts'

/** Sizes and times may be text, as on the command line: '10m', '6h'. */
type OptionValue<T> = T extends number ? number | string : T extends readonly (infer Item)[] ? readonly Item[] : T

type Options<N extends keyof Config> = { [Name in N]?: OptionValue<Config[Name]> }

const STORE_OPTIONS = ['data', 'store', 'search', 'indexEntities', 'synonyms', 'archiveStore', 'healthSecret'] as const
const CRAWL_OPTIONS = [
  'data',
  'store',
  'sitemap',
  'cookiesFrom',
  ...CRAWL_SETTINGS,
  ...ARCHIVE_SETTINGS,
  ...CRAWL_PROCESS_SETTINGS,
] as const
const REQUEST_OPTIONS = [...REQUEST_SETTINGS, 'maxBody', 'browser'] as const
const MOVE_OPTIONS = ['data', 'archiveStore', 'force'] as const

/**
 * Options that say where crawls are stored: a folder (`data`, by default ./orbweaver-data) or a Postgres database
 * (`store`). The other options are those of `orbweaver index run`.
 */
export type StoreOptions = Options<(typeof STORE_OPTIONS)[number]>
/** Every setting of docs/reference/configuration.md that `orbweaver crawl` has, in camel case. */
export type CrawlOptions = Options<(typeof CRAWL_OPTIONS)[number]>
/** Options for a single page, as for `orbweaver render`. */
export type RequestOptions = Options<(typeof REQUEST_OPTIONS)[number]>
/**
 * The data directory and the buckets with the archive of a database, and whether to move a store even if segments of its
 * archive are missing.
 */
export type MoveSettings = Options<(typeof MOVE_OPTIONS)[number]>

/** The configuration without a server: everything happens in this process. */
export function toStoreConfig(options: StoreOptions): Config {
  return { ...configFromOptions(options, process.env, STORE_OPTIONS), server: null }
}

export function toCrawlConfig(options: CrawlOptions): Config {
  return configFromOptions(options, process.env, CRAWL_OPTIONS)
}

export function toRequestConfig(options: RequestOptions): Config {
  return configFromOptions(options, process.env, REQUEST_OPTIONS)
}

export function toMoveConfig(from: string, to: string, options: MoveSettings): MoveRequest {
  const { data, archiveStore, force } = configFromOptions(options, process.env, MOVE_OPTIONS)
  const places = { from: parseOption('from', from), to: parseOption('to', to) }
  if (places.from === null || places.to === null)
    throw new AppError(
      'USAGE',
      "Give the source and the target: moveStore('./orbweaver-data', 'postgres://host/database').",
    )
  return { from: places.from, to: places.to, data, archiveStore, isForced: force }
}

export function parseRules(rules: readonly ExtractRule[]): ExtractRule[] {
  return parseOption('rules', rules)
}

/** An argument with the values of a setting. Programs in JavaScript may pass anything. */
export function parseOption<N extends SettingName>(name: N, value: unknown): Config[N] {
  return configFromOptions({ [name]: value }, {}, [name])[name]
}

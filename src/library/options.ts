// The options of the library: the settings of the command line under their names in code.

import { ARCHIVE_SETTINGS, CRAWL_PROCESS_SETTINGS } from '../config/command-settings.ts'
import { CRAWL_SETTINGS } from '../config/crawl-settings.ts'
import { configFromOptions } from '../config/load-config.ts'
import type { Config } from '../config/schema.ts'

/** Sizes and times may be text, as on the command line: '10m', '6h'. */
type OptionValue<T> = T extends number ? number | string : T extends readonly (infer Item)[] ? readonly Item[] : T

type Options<N extends keyof Config> = { [Name in N]?: OptionValue<Config[Name]> }

const STORE_OPTIONS = ['data', 'store'] as const
const CRAWL_OPTIONS = [
  ...STORE_OPTIONS,
  'sitemap',
  'cookiesFrom',
  ...CRAWL_SETTINGS,
  ...ARCHIVE_SETTINGS,
  ...CRAWL_PROCESS_SETTINGS,
] as const

/** Where crawls are stored: a folder (`data`, by default ./orbweaver-data) or a Postgres database (`store`). */
export type StoreOptions = Options<(typeof STORE_OPTIONS)[number]>
/** Every setting of docs/reference/configuration.md that `orbweaver crawl` has, in camel case. */
export type CrawlOptions = Options<(typeof CRAWL_OPTIONS)[number]>

export function toStoreConfig(options: StoreOptions): Config {
  return configFromOptions(options, process.env, STORE_OPTIONS)
}

export function toCrawlConfig(options: CrawlOptions): Config {
  return configFromOptions(options, process.env, CRAWL_OPTIONS)
}

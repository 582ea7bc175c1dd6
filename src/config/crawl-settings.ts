// The settings of a crawl: the document that is stored with it, and how it is built from a configuration and shown as
// JSON. Everything follows from the entries of crawl-schema.ts.

import { closestWord } from '../lib/closest-word.ts'
import { CRAWL_SCHEMA } from './crawl-schema.ts'
import { type Config, fileKeyOf, SCHEMA, type SettingValue } from './schema.ts'
import type { CrawlSettingOptions } from './setting.ts'
import { explainInvalid, InvalidValue } from './setting-kinds.ts'

type Schema = typeof CRAWL_SCHEMA
export type CrawlSettingName = keyof Schema
export type CrawlConfig = Pick<Config, CrawlSettingName>

type StoredKey<N> = N extends CrawlSettingName
  ? Schema[N] extends { storedAs: infer K extends string }
    ? K
    : N
  : never
type StoredValue<N extends CrawlSettingName> = Schema[N] extends { toStored: (value: never) => infer S }
  ? S
  : SettingValue<Schema[N]>
type ChangeableName = {
  [N in CrawlSettingName]: Schema[N] extends { isChangeable: true } ? N : never
}[CrawlSettingName]

/** The document that is stored with a crawl and used again by `resume`. `archiveMax` is stored as two fields. */
export type CrawlSettings = {
  [N in Exclude<CrawlSettingName, 'archiveMax'> as StoredKey<N>]: StoredValue<N>
} & {
  /** Larger payloads are not archived; with 0, only the limit of the body applies. */
  archiveMaxBytes: number
  /** Limits by media type, such as image/png or image/*; they take precedence over `archiveMaxBytes`. */
  archiveMaxByType: Record<string, number>
}
/** Settings that can be changed after a crawl was created. */
export type SettingChanges = Partial<Pick<CrawlSettings, StoredKey<ChangeableName> & keyof CrawlSettings>>

export const CRAWL_SETTINGS = Object.keys(CRAWL_SCHEMA) as CrawlSettingName[]

export function crawlKeyOf(name: CrawlSettingName): keyof CrawlSettings {
  if (name === 'archiveMax') return 'archiveMaxBytes'
  return (optionsOf(name).storedAs ?? name) as keyof CrawlSettings
}

export function isChangeable(name: CrawlSettingName): boolean {
  return optionsOf(name).isChangeable === true
}

export function needsAdmin(name: CrawlSettingName): boolean {
  return optionsOf(name).needsAdmin === true
}

/** Label of a setting and of its choices in forms. */
export function settingLabel(name: CrawlSettingName): string {
  return optionsOf(name).label ?? inWords(fileKeyOf(name))
}

export function choiceLabel(name: CrawlSettingName, choice: string): string {
  return optionsOf(name).choiceLabels?.[choice] ?? inWords(choice)
}

/** max_pages becomes "Max pages". */
function inWords(key: string): string {
  const words = key.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

export function toCrawlSettings(config: CrawlConfig): CrawlSettings {
  const stored: Record<string, unknown> = {}
  for (const name of CRAWL_SETTINGS) {
    if (name === 'archiveMax') Object.assign(stored, toSizeLimits(config.archiveMax))
    else stored[crawlKeyOf(name)] = toStored(name, config[name])
  }
  return stored as CrawlSettings
}

const DEFAULTS = toCrawlSettings(
  Object.fromEntries(CRAWL_SETTINGS.map((name) => [name, CRAWL_SCHEMA[name].default])) as CrawlConfig,
)

/** A crawl created before a setting existed does not have it in its document: it gets the default. */
export function parseCrawlSettings(document: string): CrawlSettings {
  return { ...DEFAULTS, ...(JSON.parse(document) as Partial<CrawlSettings>) }
}

const FILE_KEYS = CRAWL_SETTINGS.map((name) => ({ name, key: fileKeyOf(name) }))

/** The inverse: as a config file would have it. */
export function toSettingsJson(settings: CrawlSettings): Record<string, unknown> {
  return Object.fromEntries(FILE_KEYS.map(({ name, key }) => [key, toJsonValue(name, settings)]))
}

/** Settings for readers, without values that may contain passwords, such as headers and cookies. */
export function maskedSettings(settings: CrawlSettings): Record<string, unknown> {
  const masked: Record<string, unknown> = { ...settings }
  for (const name of CRAWL_SETTINGS) {
    const key = crawlKeyOf(name)
    const { mask } = optionsOf(name)
    if (mask !== undefined) masked[key] = mask(settings[key] as never)
  }
  return toSettingsJson(masked as CrawlSettings)
}

/** Requested values, in which masked entries that came back unchanged are replaced with the secrets that they hide. */
export function restoreMasked(given: Record<string, unknown>, current: CrawlSettings): Record<string, unknown> {
  const restored = { ...given }
  for (const { name, key } of FILE_KEYS) {
    const { mask } = optionsOf(name)
    const entries = given[key]
    if (mask === undefined || !Array.isArray(entries)) continue
    const known = [...(current[crawlKeyOf(name)] as string[])]
    const shown = mask(known as never) as string[]
    // Each masked entry is used for one secret: two users of a proxy look the same.
    restored[key] = entries.map((entry: unknown) => {
      const index = shown.indexOf(String(entry))
      if (index === -1) return entry
      shown.splice(index, 1)
      return known.splice(index, 1)[0]
    })
  }
  return restored
}

function optionsOf(name: CrawlSettingName): CrawlSettingOptions<unknown> {
  return CRAWL_SCHEMA[name] as CrawlSettingOptions<unknown>
}

function toStored(name: CrawlSettingName, value: unknown): unknown {
  const convert = optionsOf(name).toStored
  return convert === undefined ? value : convert(value)
}

function toJsonValue(name: CrawlSettingName, settings: CrawlSettings): unknown {
  if (name === 'archiveMax') return fromSizeLimits(settings)
  const convert = optionsOf(name).fromStored
  const stored = settings[crawlKeyOf(name)]
  return convert === undefined ? stored : convert(stored as never)
}

type SizeLimits = Pick<CrawlSettings, 'archiveMaxBytes' | 'archiveMaxByType'>

function toSizeLimits(sizes: CrawlConfig['archiveMax']): SizeLimits {
  return {
    archiveMaxBytes: sizes.findLast(({ type }) => type === null)?.bytes ?? 0,
    archiveMaxByType: Object.fromEntries(sizes.flatMap(({ type, bytes }) => (type === null ? [] : [[type, bytes]]))),
  }
}

function fromSizeLimits({ archiveMaxBytes, archiveMaxByType }: SizeLimits): string[] {
  const sizes = Object.entries(archiveMaxByType).map(([type, bytes]) => `${type}=${bytes}`)
  return archiveMaxBytes > 0 ? [String(archiveMaxBytes), ...sizes] : sizes
}

export interface SettingProblem {
  /** Name in a config file. */
  field: string
  message: string
}

/** Limits the list of errors: a request may contain 100,000 unknown names. */
const MAX_SETTING_PROBLEMS = 100
const MAX_NAME = 100

/** Checks values by their names in a config file; settings that are not given come from `defaults`. */
export function checkSettings(
  given: Record<string, unknown>,
  defaults: CrawlConfig,
): { values: CrawlConfig; names: CrawlSettingName[]; problems: SettingProblem[] } {
  const known = new Map(FILE_KEYS.map(({ name, key }) => [key, name]))
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
    // null means "no limit" where that is the default.
    const value = raw === null && SCHEMA[name].default === null ? null : SCHEMA[name].kind.parse(raw)
    if (value instanceof InvalidValue) {
      problems.push({ field, message: `${explainInvalid('It', value, raw)}.` })
    } else {
      names.push(name)
      values[name] = value
    }
  }
  return { values: values as CrawlConfig, names, problems }
}

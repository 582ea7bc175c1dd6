// The definition of a setting in the schema, and short ways to write one.

import { REDACTED } from '../lib/redact.ts'
import { onOff, type SettingKind } from './setting-kinds.ts'

export interface Setting<T> {
  kind: SettingKind<T>
  default: T | null
  help: string
  /** For a switch that is on by default: help of the flag that turns it off. */
  offHelp?: string
  /** Text for the documentation if the default depends on the machine. */
  defaultText?: string
}

export function setting<T>(
  kind: SettingKind<T>,
  fallback: T,
  help: string,
  defaultText?: string,
): Setting<T> & { default: T } {
  return { kind, default: fallback, help, ...(defaultText === undefined ? {} : { defaultText }) }
}

/** A setting that may be absent, which means "no limit" or "not given". */
export function optional<T>(kind: SettingKind<T>, help: string): Setting<T> & { default: null } {
  return { kind, default: null, help }
}

export function onByDefault(help: string, offHelp: string): Setting<boolean> & { default: true; offHelp: string } {
  return { kind: onOff(), default: true, help, offHelp }
}

/** Headings of the web form and of `crawl --help`, in order. */
export const SETTING_GROUPS = [
  'Limits',
  'Scope',
  'Freshness',
  'Speed',
  'Politeness',
  'Rendering',
  'Archive',
  'Data',
  'Network',
] as const
export type SettingGroup = (typeof SETTING_GROUPS)[number]

export interface CrawlSettingOptions<T> {
  /** Label in the web form, if the name in words is not a good label. */
  label?: string
  /** Labels of the choices in the web form. */
  choiceLabels?: Readonly<Record<string, string>>
  /** Name in the stored document, where it differs: there, names carry their unit. */
  storedAs?: string
  /**
   * Whether the setting can be changed after the crawl was created. Settings that decide which URLs exist and what is
   * archived cannot.
   */
  isChangeable?: boolean
  /** It reaches beyond the public web, overrides what sites ask for, or exposes secrets: only an admin may set it. */
  needsAdmin?: boolean
  /** The stored value without its secrets, for readers. */
  mask?: (stored: never) => unknown
  toStored?: (value: T) => unknown
  /** The value as written in a config file. */
  fromStored?: (stored: never) => unknown
}

/** A setting that belongs to a crawl and is stored with it. */
export function crawlSetting<T, D extends T | null, const O extends CrawlSettingOptions<T> = object>(
  entry: Setting<T> & { default: D },
  options?: O,
): Setting<T> & { default: D } & O {
  return { ...entry, ...(options as O) }
}

export function inGroup<S extends object>(
  group: SettingGroup,
  entries: S,
): { [N in keyof S]: S[N] & { group: SettingGroup } } {
  const grouped = Object.entries(entries).map(([name, entry]) => [name, { ...entry, group }])
  return Object.fromEntries(grouped)
}

/** Masks each entry of a list. */
export function maskEach(mask: (text: string, mask: string) => string): (texts: readonly string[]) => string[] {
  return (texts) => texts.map((text) => mask(text, REDACTED))
}

// Settings of a crawl in a form: how a value becomes the text of a field and back. The server parses numbers and sizes
// from text and reports what is wrong with them, so nothing is checked here.

import type { SettingInfo } from '../server/api.ts'

/** What a field holds: the text of an input, or on and off. */
export type SettingDraft = string | boolean
export type SettingDrafts = Readonly<Record<string, SettingDraft>>

export interface SettingsGroup {
  title: string
  settings: SettingInfo[]
}

/** The server lists settings in the order of their groups. */
export function groupSettings(settings: readonly SettingInfo[]): SettingsGroup[] {
  const groups = Map.groupBy(settings, ({ group }) => group)
  return [...groups].map(([title, members]) => ({ title, settings: members }))
}

/** max_pages: Max pages */
export function settingLabel(name: string): string {
  const words = name
    .replaceAll('_', ' ')
    .replace(/\bip\b/, 'IP')
    .replace(/\bids\b/, 'ids')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

export function toDraft(setting: SettingInfo, value: unknown): SettingDraft {
  if (setting.kind === 'switch') return value === true
  if (value === null || value === undefined) return ''
  const textOf = isSize(setting) ? formatSize : String
  return Array.isArray(value) ? value.map(textOf).join('\n') : textOf(value)
}

/** An empty field means no limit where that is the default, else the default. */
export function fromDraft(setting: SettingInfo, settingDraft: SettingDraft): unknown {
  if (typeof settingDraft === 'boolean') return settingDraft
  if (setting.kind === 'list') return splitLines(settingDraft)
  return settingDraft.trim() === '' ? setting.default : settingDraft.trim()
}

export function splitLines(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}

/** The values of the fields that differ from where they began. */
export function changedValues(
  settings: readonly SettingInfo[],
  drafts: SettingDrafts,
  from: Record<string, unknown>,
): Record<string, unknown> {
  const changed: Record<string, unknown> = {}
  for (const setting of settings) {
    const draft = drafts[setting.name]
    if (draft === undefined || draft === toDraft(setting, from[setting.name])) continue
    changed[setting.name] = fromDraft(setting, draft)
  }
  return changed
}

export function settingDefaults(settings: readonly SettingInfo[]): Record<string, unknown> {
  return Object.fromEntries(settings.map((setting) => [setting.name, setting.default]))
}

const UNITS: Record<string, string> = { MS: 'ms', BYTES: 'bytes, KB, MB or GB', DAYS: 'days' }

/** A placeholder may name more than one form, such as MS|auto. */
export function settingUnit(setting: SettingInfo): string | undefined {
  return UNITS[setting.placeholder.split('|')[0] ?? '']
}

function isSize(setting: SettingInfo): boolean {
  return setting.placeholder.split('|')[0] === 'BYTES'
}

const SIZES = [
  ['GB', 1024 ** 3],
  ['MB', 1024 ** 2],
  ['KB', 1024],
] as const

/** 10485760: 10 MB, and image/png=1024: image/png=1 KB, as the server reads it too. What is not round stays as it is. */
function formatSize(value: unknown): string {
  return String(value).replace(/(?<=^|=)\d+$/, (digits) => {
    const bytes = Number(digits)
    const fit = SIZES.find(([, size]) => bytes > 0 && bytes % size === 0)
    return fit === undefined ? digits : `${bytes / fit[1]} ${fit[0]}`
  })
}

const TIMES = [
  { unit: 'h', sizeMs: 3_600_000, fromMs: 7_200_000 },
  { unit: 'min', sizeMs: 60_000, fromMs: 120_000 },
  { unit: 's', sizeMs: 1000, fromMs: 1000 },
] as const

/** 60000: 60 s, and 300000: 5 min. What is not round stays as it is. */
function formatMilliseconds(ms: number): string {
  const fit = TIMES.find(({ sizeMs, fromMs }) => ms >= fromMs && ms % sizeMs === 0)
  return fit === undefined ? `${ms} ms` : `${ms / fit.sizeMs} ${fit.unit}`
}

/** A value with its unit, for places where nothing is typed. */
export function formatSettingValue(setting: SettingInfo, settingDraft: SettingDraft): string {
  if (typeof settingDraft === 'boolean') return settingDraft ? 'on' : 'off'
  if (settingDraft === '') return setting.kind === 'list' ? 'none' : 'no limit'
  if (!/^\d+$/.test(settingDraft)) return settingDraft.split('\n').join(', ')
  const unit = isSize(setting) ? 'bytes' : settingUnit(setting)
  if (unit === undefined) return settingDraft
  return unit === UNITS['MS'] ? formatMilliseconds(Number(settingDraft)) : `${settingDraft} ${unit}`
}

export interface FieldProblem {
  field: string
  message: string
}

/** The problem of a field, whether it is told by the name alone or by its path in the request. */
export function findFieldProblem(problems: readonly FieldProblem[], name: string): string | undefined {
  return problems.find(({ field }) => (field.split('.').findLast((part) => !/^\d+$/.test(part)) ?? field) === name)
    ?.message
}

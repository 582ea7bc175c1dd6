// Crawl settings in a form: the conversion between a value and the text of a field. The server sends the labels, and it
// parses and validates numbers and sizes, so nothing is validated here.

import type { SettingInfo } from '../server/api.ts'
import { formatNumber } from './format.ts'
import { lowerFirst } from './words.ts'

/** The content of a field: the text of an input, or a switch. */
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

/** Settings with all of these words in their name, label, help or group. */
export function searchSettings(settings: readonly SettingInfo[], text: string): SettingInfo[] {
  const words = text.toLowerCase().split(/\s+/)
  return settings.filter(({ name, label, help, group }) => {
    const searched = `${name} ${label} ${help} ${group}`.toLowerCase()
    return words.every((word) => searched.includes(word))
  })
}

export function choiceLabel(setting: SettingInfo, choice: string): string {
  return setting.choice_labels?.[choice] ?? choice
}

export function toDraft(setting: SettingInfo, value: unknown): SettingDraft {
  if (setting.kind === 'switch') return value === true
  if (value === null || value === undefined) return ''
  const toText = isSize(setting) ? formatSize : formatItem
  return Array.isArray(value) ? value.map(toText).join('\n') : toText(value)
}

/** A rule is an object, written as JSON. */
function formatItem(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** An empty field means the default, which is "no limit" for some settings. */
function fromDraft(setting: SettingInfo, settingDraft: SettingDraft): unknown {
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

/** The values of the fields that differ from their initial value. */
export function changedValues(
  settings: readonly SettingInfo[],
  drafts: SettingDrafts,
  initial: Record<string, unknown>,
): Record<string, unknown> {
  const changed: Record<string, unknown> = {}
  for (const setting of settings) {
    const draft = drafts[setting.name]
    if (draft === undefined || draft === toDraft(setting, initial[setting.name])) continue
    changed[setting.name] = fromDraft(setting, draft)
  }
  return changed
}

export function settingDefaults(settings: readonly SettingInfo[]): Record<string, unknown> {
  return Object.fromEntries(settings.map((setting) => [setting.name, setting.default]))
}

const UNITS: Record<string, string> = { MS: 'ms', BYTES: 'bytes, KB, MB or GB', DAYS: 'days' }

/** The unit from the placeholder, which may list alternatives such as MS|auto. */
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

/** 10485760 becomes 10 MB, image/png=1024 becomes image/png=1 KB. The server reads both; odd sizes stay in bytes. */
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

/** 60000 becomes 60 s, 300000 becomes 5 min. Odd times stay in milliseconds. */
export function formatMilliseconds(ms: number): string {
  const fit = TIMES.find(({ sizeMs, fromMs }) => ms >= fromMs && ms % sizeMs === 0)
  return fit === undefined ? `${ms} ms` : `${ms / fit.sizeMs} ${fit.unit}`
}

const DAYS_PER_YEAR = 365.25

/** 1826 becomes 5 years. */
export function formatDays(days: number): string {
  if (days === 0) return 'forever'
  const years = Math.round(days / DAYS_PER_YEAR)
  if (years > 0 && Math.abs(days - years * DAYS_PER_YEAR) < 1) return years === 1 ? '1 year' : `${years} years`
  return days === 1 ? '1 day' : `${days} days`
}

/** A value with its unit, for display. */
export function formatSettingValue(setting: SettingInfo, settingDraft: SettingDraft): string {
  if (typeof settingDraft === 'boolean') return settingDraft ? 'on' : 'off'
  if (setting.kind === 'choice') return lowerFirst(choiceLabel(setting, settingDraft))
  if (settingDraft === '') return setting.kind === 'number' || isSize(setting) ? 'no limit' : 'none'
  if (!/^\d+$/.test(settingDraft)) return settingDraft.split('\n').join(', ')
  if (isSize(setting)) return `${settingDraft} bytes`
  switch (settingUnit(setting)) {
    case UNITS['MS']:
      return formatMilliseconds(Number(settingDraft))
    case UNITS['DAYS']:
      return formatDays(Number(settingDraft))
    default:
      return setting.kind === 'number' ? formatNumber(Number(settingDraft)) : settingDraft
  }
}

/** The unit of a field, with the value in a larger unit if there is one: "days (5 years)". */
export function unitHint(setting: SettingInfo, settingDraft: SettingDraft): string | undefined {
  const unit = settingUnit(setting)
  if (unit === undefined || isSize(setting) || typeof settingDraft !== 'string' || !/^\d+$/.test(settingDraft)) {
    return unit
  }
  const text = formatSettingValue(setting, settingDraft)
  return text === `${settingDraft} ${unit}` ? unit : `${unit} (${text})`
}

export interface FieldProblem {
  field: string
  message: string
}

/** The problem of a field, reported by its name or by its path in the request. */
export function findFieldProblem(problems: readonly FieldProblem[], name: string): string | undefined {
  return problems.find(({ field }) => (field.split('.').findLast((part) => !/^\d+$/.test(part)) ?? field) === name)
    ?.message
}

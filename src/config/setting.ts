// What is known of a setting besides its name, and short ways to write it down.

import { onOff, type SettingKind } from './setting-kinds.ts'

export interface Setting<T> {
  kind: SettingKind<T>
  default: T | null
  help: string
  /** Of a switch that is on by default: what its flag does, which turns it off. */
  offHelp?: string
  /** For the documentation, where the default depends on the machine. */
  defaultText?: string
}

export function setting<T>(
  settingKind: SettingKind<T>,
  fallback: T,
  help: string,
  defaultText?: string,
): Setting<T> & { default: T } {
  return { kind: settingKind, default: fallback, help, ...(defaultText === undefined ? {} : { defaultText }) }
}

export function optional<T>(settingKind: SettingKind<T>, help: string): Setting<T> & { default: null } {
  return { kind: settingKind, default: null, help }
}

export function onByDefault(help: string, offHelp: string): Setting<boolean> & { default: true; offHelp: string } {
  return { kind: onOff(), default: true, help, offHelp }
}

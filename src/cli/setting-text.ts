// Formats a setting for the help and the reference pages.

import { flagOf, SCHEMA, type SettingName } from '../config/schema.ts'

export function flagText(name: SettingName): string {
  return `--${flagOf(name)} ${SCHEMA[name].kind.placeholder}`.trimEnd()
}

/** The effect of passing the flag. */
export function helpText(name: SettingName): string {
  const setting = SCHEMA[name]
  return 'offHelp' in setting ? setting.offHelp : setting.help
}

/** `isLiteral`: the text is a value, not a description. Null if there is no default. */
export function defaultText(name: SettingName): { text: string; isLiteral: boolean } | null {
  const setting = SCHEMA[name]
  if ('defaultText' in setting && setting.defaultText !== undefined) {
    return { text: setting.defaultText, isLiteral: false }
  }
  const value = setting.default
  if (value === null || (Array.isArray(value) && value.length === 0)) return null
  return { text: String(value), isLiteral: true }
}

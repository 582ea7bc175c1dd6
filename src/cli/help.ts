// Help, made from the commands and the schema.

import { envOf, flagOf, SCHEMA, type SettingName } from '../config/schema.ts'
import type { Command } from './io.ts'

const FLAG_WIDTH = 30

export function programHelp(commands: Record<string, Command>): string {
  const lines = Object.entries(commands).map(
    ([name, { usage, help }]) => `  ${`${name} ${usage}`.padEnd(FLAG_WIDTH)}${help}`,
  )
  return [
    'Orbweaver crawls web sites, exactly and fast, and goes on where it was after any crash.',
    '',
    'Usage: orbweaver <command> [options]',
    '',
    ...lines,
    '',
    'Options of a command: orbweaver <command> --help',
    '',
  ].join('\n')
}

export function commandHelp(name: string, command: Command): string {
  return [
    command.help,
    '',
    `Usage: orbweaver ${[name, command.usage].filter(Boolean).join(' ')} [options]`,
    '',
    ...command.settings.map(settingLine),
    '',
    `Every option is also a setting in the environment (--data is ${envOf('data')}) and in a --config file.`,
    '',
  ].join('\n')
}

function settingLine(name: SettingName): string {
  const setting = SCHEMA[name]
  const flag = `--${flagOf(name)} ${setting.kind.placeholder}`.trimEnd()
  const pad = flag.length < FLAG_WIDTH - 2 ? flag.padEnd(FLAG_WIDTH) : `${flag}\n  ${' '.repeat(FLAG_WIDTH)}`
  return `  ${pad}${helpText(name)}${defaultText(name)}`
}

/** What giving the flag does. */
export function helpText(name: SettingName): string {
  const setting = SCHEMA[name]
  return 'offHelp' in setting ? setting.offHelp : setting.help
}

function defaultText(name: SettingName): string {
  const setting = SCHEMA[name]
  if ('defaultText' in setting) return ` (default: ${setting.defaultText})`
  const value = setting.default
  if (value === null || typeof value === 'boolean' || Array.isArray(value)) return ''
  return ` (default: ${String(value)})`
}

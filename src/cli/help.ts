// Help, made from the commands and the schema, in lines that fit the terminal and are never longer than 80 characters.

import { envOf, flagOf, SCHEMA, type SettingName } from '../config/schema.ts'
import { formatDefinition, wrapText } from './format/wrap-text.ts'
import type { Command, Io } from './io.ts'

const MAX_LINE_WIDTH = 80

type HelpIo = Pick<Io, 'stdout' | 'program'>

export function programHelp(commands: Record<string, Command>, { stdout, program }: HelpIo): string {
  const width = lineWidth(stdout)
  return [
    ...wrapText('Orbweaver crawls web sites, exactly and fast, and goes on where it was after any crash.', width),
    '',
    `Usage: ${program} <command> [options]`,
    '',
    ...Object.entries(commands).flatMap(([name, { usage, help }]) =>
      formatDefinition(`${name} ${usage}`.trimEnd(), help, width),
    ),
    '',
    ...wrapText(`Options of a command: ${program} <command> --help`, width),
    '',
  ].join('\n')
}

export function commandHelp(name: string, command: Command, { stdout, program }: HelpIo): string {
  const width = lineWidth(stdout)
  return [
    ...wrapText(command.help, width),
    '',
    `Usage: ${[program, name, command.usage].filter(Boolean).join(' ')} [options]`,
    '',
    ...command.settings.flatMap((setting) => {
      return formatDefinition(flagText(setting), helpText(setting) + defaultText(setting), width)
    }),
    '',
    ...wrapText(
      `Every option is also a setting in the environment (--data is ${envOf('data')}) and in a --config file.`,
      width,
    ),
    '',
  ].join('\n')
}

function lineWidth({ columns }: HelpIo['stdout']): number {
  return Math.min(MAX_LINE_WIDTH, columns || MAX_LINE_WIDTH)
}

function flagText(name: SettingName): string {
  return `--${flagOf(name)} ${SCHEMA[name].kind.placeholder}`.trimEnd()
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

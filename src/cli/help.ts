// Builds the help texts from the commands and the schema, wrapped at the terminal's width or 80 characters.

import { envOf, SCHEMA, type SettingName } from '../config/schema.ts'
import { SETTING_GROUPS, type SettingGroup } from '../config/setting.ts'
import { COMMAND_GROUPS, COMMAND_NAMES } from './commands.ts'
import { formatDefinition, wrapText } from './format/wrap-text.ts'
import type { Command, Io } from './io.ts'
import { defaultText, flagText, helpText } from './setting-text.ts'

const MAX_LINE_WIDTH = 80

type HelpIo = Pick<Io, 'stdout' | 'program'>

/** The commands in their groups, each with the first sentence of its help. */
export function programHelp(commands: Record<string, Command>, { stdout, program }: HelpIo): string {
  const width = lineWidth(stdout)
  const nameWidth = Math.max(...COMMAND_NAMES.map((name) => name.length)) + 2
  return [
    ...wrapText(
      'Orbweaver is a web crawler, archive and search engine. After a crash, a crawl continues where it stopped.',
      width,
    ),
    '',
    `Usage: ${program} <command> [options]`,
    '',
    ...wrapText(
      `To begin, crawl a site in this terminal with "${program} crawl <url>", or run a server with a web app with "${program} start".`,
      width,
    ),
    ...Object.entries(COMMAND_GROUPS).flatMap(([heading, group]) => [
      '',
      `${heading}:`,
      ...Object.keys(group).flatMap((name) =>
        formatDefinition(name, firstSentence(commands[name]?.help ?? ''), width, nameWidth),
      ),
    ]),
    '',
    ...wrapText(`For the arguments and options of a command: ${program} <command> --help`, width),
    '',
  ].join('\n')
}

function firstSentence(text: string): string {
  const end = text.indexOf('. ')
  return end < 0 ? text : text.slice(0, end + 1)
}

export function commandHelp(name: string, command: Command, { stdout, program }: HelpIo): string {
  const width = lineWidth(stdout)
  return [
    ...wrapText(command.help, width),
    '',
    `Usage: ${[program, name, command.usage].filter(Boolean).join(' ')} [options]`,
    ...settingSections(command.settings).flatMap(({ heading, settings }) => [
      '',
      ...(heading === null ? [] : [`${heading}:`]),
      ...settings.flatMap((setting) =>
        formatDefinition(flagText(setting), helpText(setting) + defaultNote(setting), width),
      ),
    ]),
    '',
    ...wrapText(
      `Every option can also be set in the environment (--data is ${envOf('data')}) or in a --config file.`,
      width,
    ),
    '',
  ].join('\n')
}

/** Settings under the headings of the web form, for a command that has some of each. */
function settingSections(names: readonly SettingName[]): { heading: string | null; settings: SettingName[] }[] {
  const groups = new Set(names.map(groupOf))
  if (!SETTING_GROUPS.every((group) => groups.has(group))) return [{ heading: null, settings: [...names] }]
  const sections: { heading: string | null; settings: SettingName[] }[] = []
  for (const name of names) {
    const heading = groupOf(name) ?? (sections.length > 1 ? 'Other' : null)
    const last = sections.at(-1)
    if (last?.heading === heading) last.settings.push(name)
    else sections.push({ heading, settings: [name] })
  }
  return sections
}

function groupOf(name: SettingName): SettingGroup | null {
  const entry = SCHEMA[name]
  return 'group' in entry ? entry.group : null
}

function lineWidth({ columns }: HelpIo['stdout']): number {
  return Math.min(MAX_LINE_WIDTH, columns || MAX_LINE_WIDTH)
}

/** Empty for switches, whose default is clear from their help. */
function defaultNote(name: SettingName): string {
  const defaultValue = typeof SCHEMA[name].default === 'boolean' ? null : defaultText(name)
  return defaultValue === null ? '' : ` (default: ${defaultValue.text})`
}

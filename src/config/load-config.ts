// Builds one frozen Config from flags, environment and file, or fails with an error that names every invalid field.

import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { closestWord } from '../lib/closest-word.ts'
import { AppError } from '../lib/errors.ts'
import { type Config, ENV_PREFIX, envOf, fileKeyOf, flagOf, SCHEMA, SETTING_NAMES, type SettingName } from './schema.ts'
import { explainInvalid, InvalidValue } from './setting-kinds.ts'

export interface CommandLine {
  config: Config
  positionals: string[]
}

type RawSettings = Partial<Record<SettingName, unknown>>

/** `allowed` lists the flags of the command; other settings may still come from the environment or a file. */
export function loadConfig(args: string[], env: NodeJS.ProcessEnv, allowed: readonly SettingName[]): CommandLine {
  const { flags, positionals } = readFlags(args, allowed)
  const problems: string[] = []
  const fromEnv = readEnv(env, problems)
  const file = flags.config ?? fromEnv.config
  const fromFile = typeof file === 'string' ? readConfigFile(file, problems) : {}
  const config = parseSettings(problems, (name) => [
    { raw: flags[name], spelling: `--${flagOf(name)}` },
    { raw: fromEnv[name], spelling: envOf(name) },
    { raw: fromFile[name], spelling: `${fileKeyOf(name)} in ${String(file)}` },
    ...otherVariable(name, env),
  ])
  return { config, positionals }
}

/** Names that another system uses (see compat/crawl-runs). Ours come first. */
const OTHER_VARIABLES: Partial<Record<SettingName, string>> = { healthPort: 'WORKER_METRICS_PORT' }

function otherVariable(name: SettingName, env: NodeJS.ProcessEnv): GivenValue[] {
  const variable = OTHER_VARIABLES[name]
  const raw = variable === undefined ? undefined : env[variable]
  return variable === undefined || raw === undefined || raw === '' ? [] : [{ raw, spelling: variable }]
}

/** Options of a program, named as in Config, with values as in a config file; the rest comes from the environment. */
export function configFromOptions(
  options: Readonly<Record<string, unknown>>,
  env: NodeJS.ProcessEnv,
  allowed: readonly SettingName[],
): Config {
  const problems = Object.keys(options).flatMap((key) => {
    if (allowed.some((name) => name === key)) return []
    const meant = closestWord(key, allowed)
    return `There is no option ${key}.${meant === null ? '' : ` Did you mean ${meant}?`}`
  })
  const fromEnv = readEnv(env, problems)
  return parseSettings(problems, (name) => [
    { raw: options[name], spelling: name },
    { raw: fromEnv[name], spelling: envOf(name) },
  ])
}

interface GivenValue {
  raw: unknown
  spelling: string
}

/** For each setting, the first given value counts. Throws if there are problems, including those passed in. */
function parseSettings(problems: string[], sourcesOf: (name: SettingName) => GivenValue[]): Config {
  const values: Record<string, unknown> = {}
  for (const name of SETTING_NAMES) {
    const source = sourcesOf(name).find(({ raw }) => raw !== undefined)
    if (source === undefined) {
      values[name] = SCHEMA[name].default
      continue
    }
    const { kind } = SCHEMA[name]
    const value = kind.parse(kind.isReadFromFiles === true ? readListFiles(source.raw) : source.raw)
    if (value instanceof InvalidValue) {
      problems.push(explainInvalid(source.spelling, value, source.raw))
    }
    values[name] = value
  }
  if (problems.length > 0) throw new AppError('BAD_CONFIG', problems.join('\n'))
  return Object.freeze(values) as Config
}

/** The configuration with all defaults. */
export function defaultConfig(): Config {
  return loadConfig([], {}, []).config
}

function readFlags(args: string[], allowed: readonly SettingName[]): { flags: RawSettings; positionals: string[] } {
  const options = Object.fromEntries(
    allowed.map((name) => {
      const { kind } = SCHEMA[name]
      const type = kind.isSwitch ? ('boolean' as const) : ('string' as const)
      return [flagOf(name), { type, multiple: kind.isList === true }]
    }),
  )
  const words = joinNegatives(args)
  checkFlags(words, options)
  let parsed: { values: Record<string, unknown>; positionals: string[] }
  try {
    parsed = parseArgs({ args: words, options, allowPositionals: true, strict: true })
  } catch (error) {
    throw new AppError('USAGE', firstSentence(error), { cause: error })
  }
  const flags: RawSettings = {}
  for (const name of allowed) {
    const value = parsed.values[flagOf(name)]
    if (value !== undefined) flags[name] = flagOf(name).startsWith('no-') ? !value : value
  }
  return { flags, positionals: parsed.positionals }
}

function checkFlags(args: string[], options: Record<string, { type: 'boolean' | 'string'; multiple: boolean }>): void {
  const { tokens } = parseArgs({ args, options, allowPositionals: true, strict: false, tokens: true })
  const unknown = tokens.find((token) => token.kind === 'option' && !Object.hasOwn(options, token.name))
  if (unknown?.kind !== 'option') return
  const { name, rawName } = unknown
  if (SETTING_NAMES.some((setting) => flagOf(setting) === name)) {
    throw new AppError('USAGE', `This command has no flag ${rawName}.`)
  }
  const meant = closestWord(name, Object.keys(options))
  const hint = meant === null ? '' : ` Did you mean --${meant}?`
  throw new AppError('USAGE', `There is no flag ${rawName}.${hint}`)
}

/** "--retries -3" is an invalid value, not an unknown flag. */
function joinNegatives(args: string[]): string[] {
  const joined: string[] = []
  for (const arg of args) {
    const last = joined.at(-1)
    if (last?.startsWith('--') && !last.includes('=') && /^-\d/.test(arg)) joined[joined.length - 1] = `${last}=${arg}`
    else joined.push(arg)
  }
  return joined
}

function firstSentence(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  const end = message.search(/\.(\s|$)/)
  return end < 0 ? `${message}.` : message.slice(0, end + 1)
}

function readEnv(env: NodeJS.ProcessEnv, problems: string[]): RawSettings {
  const known = new Map(SETTING_NAMES.map((name) => [envOf(name), name]))
  const raw: RawSettings = {}
  for (const [key, value] of Object.entries(env)) {
    if (!key.startsWith(ENV_PREFIX) || value === undefined) continue
    const name = known.get(key)
    if (name === undefined) problems.push(unknownSetting(key, 'the environment', known, ENV_PREFIX))
    else raw[name] = value
  }
  return raw
}

function readConfigFile(file: string, problems: string[]): RawSettings {
  const known = new Map<string, SettingName>(SETTING_NAMES.map((name) => [fileKeyOf(name), name]))
  const raw: RawSettings = {}
  for (const [key, value] of Object.entries(parseConfigFile(file))) {
    const name = known.get(key)
    if (name === undefined) problems.push(unknownSetting(key, file, known))
    else raw[name] = value
  }
  return raw
}

function unknownSetting(key: string, place: string, known: ReadonlyMap<string, SettingName>, prefix = ''): string {
  const names = [...known.keys()].map((name) => name.slice(prefix.length))
  const meant = closestWord(key.slice(prefix.length), names)
  return `${key} in ${place} is not a setting${meant === null ? '' : `; did you mean ${prefix}${meant}?`}`
}

/** Replaces names of files by the items that they list. */
function readListFiles(raw: unknown): unknown {
  const items = typeof raw === 'string' ? raw.split('\n').filter(Boolean) : raw
  if (!Array.isArray(items)) return raw
  return items.flatMap((item: unknown) => {
    if (typeof item !== 'string' || item.trimStart().startsWith('{')) return [item]
    const listed = readJsonFile(item, 'rules file')
    if (Array.isArray(listed)) return listed
    throw new AppError('BAD_CONFIG', `The rules file ${item} must hold a JSON list.`)
  })
}

function readJsonFile(file: string, what: string): unknown {
  let content: string
  try {
    content = readFileSync(file, 'utf8')
  } catch (cause) {
    throw new AppError('FILE_UNREADABLE', `The ${what} ${file} cannot be read.`, { cause })
  }
  try {
    return JSON.parse(content)
  } catch (cause) {
    throw new AppError('BAD_CONFIG', `The ${what} ${file} is not valid JSON.`, { cause })
  }
}

function parseConfigFile(file: string): object {
  const parsed = readJsonFile(file, 'config file')
  if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) return parsed
  throw new AppError('BAD_CONFIG', `The config file ${file} must hold one JSON object.`)
}

// Finds and runs the command of a command line. The only place where errors of commands are caught.

import { type CommandLine, loadConfig } from '../config/load-config.ts'
import type { Config } from '../config/schema.ts'
import { closestWord } from '../lib/closest-word.ts'
import { AppError, asAppError, type ErrorCode, EXIT } from '../lib/errors.ts'
import { COMMAND_NAMES, COMMANDS, type CommandName, isCommand, loadCommands } from './commands.ts'
import { formatCommand } from './format/format-command.ts'
import { commandHelp, programHelp } from './help.ts'
import type { Command, Io } from './io.ts'

export async function runCli(args: string[], version: string, io: Io): Promise<number> {
  try {
    return await dispatch(args, version, io)
  } catch (thrown) {
    const error = asAppError(thrown)
    io.stderr.write(`orbweaver: ${error.message}\n`)
    if (error.code === 'INTERNAL' && thrown instanceof Error) io.stderr.write(`${thrown.stack ?? ''}\n`)
    return error.exitCode
  }
}

async function dispatch(args: string[], version: string, io: Io): Promise<number> {
  const [name = '--help', ...rest] = args
  if (name === '--version' || name === '-v') {
    io.stdout.write(`${version}\n`)
    return EXIT.completed
  }
  if (name === '--help' || name === '-h' || name === 'help') {
    const [topic] = rest
    return topic === undefined ? printProgramHelp(io) : printCommandHelp(requireCommandName(topic, io), io)
  }
  const commandName = requireCommandName(name, io)
  if (rest.includes('--help') || rest.includes('-h')) return printCommandHelp(commandName, io)
  const command = await COMMANDS[commandName]()
  checkServerFlag(name, command, rest)
  const helpHint = `See: ${io.program} ${name} --help`
  const advice = dashAdvice(command, rest, `${io.program} ${name}`) ?? helpHint
  const { config, positionals } = loadWithAdvice(() => loadConfig(rest, io.env, command.settings), advice)
  const extra = positionals[command.maxArguments]
  if (extra !== undefined) throw new AppError('USAGE', `${name} does not take "${extra}". ${helpHint}`)
  try {
    return await command.run(config, positionals, io)
  } catch (error) {
    throw withListHint(error, config, io)
  }
}

function checkServerFlag(name: string, { settings, localReason }: Command, args: string[]): void {
  const isGiven = args.some((arg) => arg === '--server' || arg.startsWith('--server='))
  if (!isGiven || settings.includes('server')) return
  throw new AppError('USAGE', `"${name}" does not work with --server: ${localReason}`)
}

/** The command that lists the objects of which one was not found. */
const LISTS: Partial<Record<ErrorCode, string>> = {
  CRAWL_NOT_FOUND: 'crawls',
  CRAWL_AMBIGUOUS: 'crawls',
  MONITOR_NOT_FOUND: 'monitors list',
  HIT_NOT_FOUND: 'monitors hits',
  POLICY_NOT_FOUND: 'policies list',
  TOKEN_NOT_FOUND: 'token list',
  WORKER_NOT_FOUND: 'workers',
}

function withListHint(error: unknown, config: Config, io: Io): unknown {
  const words = error instanceof AppError ? LISTS[error.code] : undefined
  if (!(error instanceof AppError) || words === undefined) return error
  const message = `${error.message} List them with: ${formatCommand(io.program, words, config)}`
  return new AppError(error.code, message, { cause: error })
}

async function printProgramHelp(io: Io): Promise<number> {
  io.stdout.write(programHelp(await loadCommands(), io))
  return EXIT.completed
}

async function printCommandHelp(name: CommandName, io: Io): Promise<number> {
  io.stdout.write(commandHelp(name, await COMMANDS[name](), io))
  return EXIT.completed
}

function requireCommandName(name: string, io: Io): CommandName {
  if (isCommand(name)) return name
  const suggestion = closestWord(name, COMMAND_NAMES)
  const hint = suggestion === null ? '' : ` Did you mean ${suggestion}?`
  throw new AppError('USAGE', `There is no command "${name}".${hint} See: ${io.program} --help`)
}

/** Advice for arguments that look like flags; null if there are none. */
function dashAdvice({ dashExample }: Command, args: string[], start: string): string | null {
  const end = args.indexOf('--')
  const isDashed = args.slice(0, end < 0 ? args.length : end).some((arg) => /^-[^-]/.test(arg))
  if (!isDashed || dashExample === undefined) return null
  return `Put words that start with - after --, following all options:\n  ${start} ${dashExample}`
}

function loadWithAdvice(load: () => CommandLine, advice: string): CommandLine {
  try {
    return load()
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'USAGE') throw error
    throw new AppError('USAGE', `${error.message} ${advice}`, { cause: error })
  }
}

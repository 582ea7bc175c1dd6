// From the words on the command line to a command; the one place where its errors are caught.

import { loadConfig } from '../config/load.ts'
import { nearest } from '../config/nearest.ts'
import { AppError, asAppError, EXIT } from '../lib/errors.ts'
import { archive } from './commands/archive.ts'
import { compare } from './commands/compare.ts'
import { crawl } from './commands/crawl.ts'
import { crawls } from './commands/crawls.ts'
import { exportUrls } from './commands/export.ts'
import { history } from './commands/history.ts'
import { index } from './commands/index.ts'
import { move } from './commands/move.ts'
import { page } from './commands/page.ts'
import { politeness } from './commands/politeness.ts'
import { resume } from './commands/resume.ts'
import { robots } from './commands/robots.ts'
import { search } from './commands/search.ts'
import { fleet, serve, worker } from './commands/serve.ts'
import { start } from './commands/start.ts'
import { status } from './commands/status.ts'
import { cancel, drain, pause, retry } from './commands/steer.ts'
import { token } from './commands/token.ts'
import { traps } from './commands/traps.ts'
import { verify } from './commands/verify.ts'
import { workers } from './commands/workers.ts'
import { commandHelp, programHelp } from './help.ts'
import type { Command, Io } from './io.ts'

export const COMMANDS: Record<string, Command> = {
  start,
  crawl,
  resume,
  crawls,
  status,
  verify,
  export: exportUrls,
  compare,
  page,
  history,
  archive,
  search,
  index,
  politeness,
  traps,
  robots,
  move,
  pause,
  cancel,
  retry,
  worker,
  workers,
  drain,
  serve,
  fleet,
  token,
}

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
    const [topic = ''] = rest
    const command = commandNamed(topic)
    io.stdout.write(command === undefined ? programHelp(COMMANDS) : commandHelp(topic, command))
    return EXIT.completed
  }
  const command = commandNamed(name)
  if (command === undefined) {
    const meant = nearest(name, Object.keys(COMMANDS))
    const hint = meant === null ? '' : ` Did you mean ${meant}?`
    throw new AppError('USAGE', `There is no command "${name}".${hint} See: orbweaver --help`)
  }
  if (rest.includes('--help') || rest.includes('-h')) {
    io.stdout.write(commandHelp(name, command))
    return EXIT.completed
  }
  const { config, positionals } = loadConfig(rest, io.env, command.settings)
  const extra = positionals[command.maxArguments]
  if (extra !== undefined)
    throw new AppError('USAGE', `${name} does not take "${extra}". See: orbweaver ${name} --help`)
  return command.run(config, positionals, io)
}

function commandNamed(name: string): Command | undefined {
  return Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
}

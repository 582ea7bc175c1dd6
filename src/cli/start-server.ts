// Starts a server, or explains which process has its data directory and what to do.

import type { Config } from '../config/schema.ts'
import { AppError } from '../lib/errors.ts'
import { isInUse } from './find-owner.ts'
import { formatCommand } from './format/format-command.ts'
import { sanitizeText } from './format/units.ts'
import type { Io } from './io.ts'

export async function startServer(config: Config, io: Io, onOpen: (address: string) => void): Promise<void> {
  try {
    await io.serve(config, onOpen)
  } catch (error) {
    throw isInUse(error, config) ? await explainInUse(error, config, io) : error
  }
}

async function explainInUse(error: unknown, config: Config, io: Io): Promise<unknown> {
  const { owner, crawls, close } = await io.openControlSession({ ...config, policies: null }, false)
  try {
    // It has ended meanwhile.
    if (owner === null) return error
    const command = (words: string) => formatCommand(io.program, words, config)
    if (owner.address !== null) {
      const place = `${owner.address} (pid ${owner.pid}, data in ${config.data})`
      return new AppError('DATA_IN_USE', `A server is already running at ${place}. Open it with: ${command('open')}`)
    }
    const running = await crawls.list({ status: 'running' })
    const crawl = (running.find(({ ledger }) => ledger.in_progress > 0) ?? running[0])?.crawl
    // A server that is still starting, or a command that does not take long.
    if (crawl === undefined || owner.roles.length > 0) return error
    const lines = [
      `Process ${owner.pid} is crawling ${sanitizeText(crawl.rootUrl)} in the data directory ${config.data}, so no server can start there.`,
      `See its progress with: ${command(`status ${crawl.id.slice(0, 8)}`)}`,
      'To continue the crawl in the web app, press Ctrl-C there and start again. Or start with another directory: --data NAME',
    ]
    return new AppError('DATA_IN_USE', lines.join('\n'))
  } finally {
    await close()
  }
}

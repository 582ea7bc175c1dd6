import { STORE_OR_SERVER } from '../../config/command-settings.ts'
import type { Config } from '../../config/schema.ts'
import { AppError } from '../../lib/errors.ts'
import { formatCommand } from '../format/format-command.ts'
import type { Command, Io } from '../io.ts'
import { withReadClient } from '../read-client/read-client.ts'

export const openWebApp: Command = {
  usage: '[id]',
  help: 'Open the web app of the running server in a browser. With an id, it opens at that crawl. Prints the address.',
  maxArguments: 1,
  settings: STORE_OR_SERVER,
  async run(config, [id], io) {
    const address = config.server ?? (await findAddress(config, io))
    const crawlId = id === undefined ? null : await withReadClient(config, io, (client) => client.findCrawlId(id))
    const url = new URL(crawlId === null ? '/' : `/crawls/${crawlId}`, address).href
    io.stdout.write(`${url}\n`)
    const isOpened = io.stdout.isTTY === true && (await io.openBrowser(url))
    if (io.stdout.isTTY === true && !isOpened) io.stderr.write('Open this address in a browser.\n')
    return 0
  },
}

/** The server that has the data directory. */
async function findAddress(config: Config, io: Io): Promise<string> {
  if (config.store !== null) {
    throw new AppError('USAGE', 'A database does not say where its servers are. Name one with --server.')
  }
  const session = await io.openControlSession(config, false)
  await session.close()
  if (session.owner?.address != null) return session.owner.address
  const start = formatCommand(io.program, 'start', config)
  throw new AppError('SERVER_AWAY', `No server is running on ${config.data}. Start one with: ${start}`)
}

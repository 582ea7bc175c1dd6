import { createInterface } from 'node:readline/promises'
import type { Client } from '../../api/client.ts'
import { STORE_OR_SERVER } from '../../config/command-settings.ts'
import type { Config } from '../../config/schema.ts'
import { AppError, EXIT } from '../../lib/errors.ts'
import { isActive, pageCount } from '../../lib/states.ts'
import { formatCommand } from '../format/format-command.ts'
import { pluralize, sanitizeText } from '../format/units.ts'
import type { Command, Io } from '../io.ts'
import { callServer, createServerClient, findCrawlId } from '../remote-server.ts'
import { requireCrawlId } from '../required-arguments.ts'

export const deleteCrawl: Command = {
  usage: '<id>',
  help: 'Delete a crawl with its URLs, links and archived pages. Asks first, unless --yes is given.',
  maxArguments: 1,
  settings: [...STORE_OR_SERVER, 'yes'],
  async run(config, args, io) {
    const id = requireCrawlId(args, config, io)
    const client = createServerClient(config)
    if (client !== null) return callServer(client, () => deleteOnServer(client, id, { config, io }))
    const session = await io.openControlSession(config, false)
    try {
      const progress = await session.crawls.progress((await session.crawls.find(id)).id)
      const { id: crawlId, rootUrl } = progress.crawl
      if (!(await confirm({ crawlId, rootUrl, pages: pageCount(progress) }, { config, io }))) return EXIT.interrupted
      // The process that ran it was killed: it is running by its row only.
      const isAbandoned = config.store === null && session.owner === null && isActive(progress.crawl.status)
      if (isAbandoned) await session.crawls.setPaused(crawlId, true)
      await session.control.remove(crawlId)
      // A server removes the rows in the background, at a pace that leaves room for its crawls.
      if (session.owner?.roles.includes('api') !== true) while (await session.control.removeNextBatch());
      io.stdout.write('Deleted.\n')
      return 0
    } finally {
      await session.close()
    }
  },
}

async function deleteOnServer(client: Client, prefix: string, context: Context): Promise<number> {
  const params = { crawl_id: await findCrawlId(client, prefix) }
  const { crawl_id: crawlId, root_url: rootUrl, pages } = await client.getCrawl({ params })
  if (!(await confirm({ crawlId, rootUrl, pages }, context))) return EXIT.interrupted
  await client.deleteCrawl({ params })
  context.io.stdout.write('Deleted.\n')
  return 0
}

interface Context {
  config: Config
  io: Io
}

async function confirm(
  { crawlId, rootUrl, pages }: { crawlId: string; rootUrl: string; pages: number },
  { config, io }: Context,
): Promise<boolean> {
  if (config.yes) return true
  if (io.stdin.isTTY !== true) {
    const command = formatCommand(io.program, `delete ${crawlId.slice(0, 8)} --yes`, config)
    throw new AppError('USAGE', `There is no terminal to ask on. To delete the crawl, run: ${command}`)
  }
  const prompt = createInterface({ input: io.stdin, output: io.stderr })
  const what = `Delete crawl ${crawlId.slice(0, 8)} of ${sanitizeText(rootUrl)} with ${pluralize(pages, 'page')}?`
  try {
    const answer = await prompt.question(`${what} This cannot be undone. [y/N] `)
    if (/^y(?:es)?$/i.test(answer.trim())) return true
    io.stderr.write('Nothing was deleted.\n')
    return false
  } finally {
    prompt.close()
  }
}

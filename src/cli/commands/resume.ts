import type { Client, ClientResponse } from '../../api/client.ts'
import { checkResumable } from '../../api/requests/check-unfinished.ts'
import { ARCHIVE_SETTINGS, CRAWL_PROCESS_SETTINGS } from '../../config/command-settings.ts'
import { AppError, EXIT } from '../../lib/errors.ts'
import { isUnfinished } from '../../lib/states.ts'
import type { Crawl, Crawls } from '../../ports/crawls.ts'
import { serverCrawlSource } from '../crawl-source.ts'
import { followCrawl } from '../foreground/follow-crawl.ts'
import { runForegroundCrawl } from '../foreground/run-foreground-crawl.ts'
import type { Command } from '../io.ts'
import { callServer, createServerClient, findCrawlId } from '../remote-server.ts'
import { printCrawl, startHere, startOnWorkers } from '../start-crawl.ts'

export const resume: Command = {
  usage: '[id]',
  help: 'Resume an unfinished crawl, by default the newest one.',
  maxArguments: 1,
  settings: [
    'data',
    'store',
    'server',
    'token',
    'detach',
    'config',
    ...CRAWL_PROCESS_SETTINGS,
    ...ARCHIVE_SETTINGS,
    'json',
    'quiet',
  ],
  async run(config, args, io) {
    const client = createServerClient(config)
    if (client !== null) {
      return callServer(client, async () => {
        const id = args[0] === undefined ? await findUnfinished(client) : await findCrawlId(client, args[0])
        const { root_url: rootUrl } = await client.resumeCrawl({ params: { crawl_id: id } })
        if (!config.detach) return followCrawl(serverCrawlSource(id, client), config, io)
        printCrawl({ id, rootUrl }, 'Resumed', { config, io })
        return EXIT.completed
      })
    }
    const start = async (crawls: Crawls) => {
      const crawl = await chooseCrawl(crawls, args[0])
      await crawls.setPaused(crawl.id, false)
      return crawl
    }
    if (config.detach) return startOnWorkers(config, io, start)
    return startHere(config, io, {
      create: false,
      start,
      run: (crawl, crawlSession) =>
        runForegroundCrawl(crawl, crawlSession, { ...config, depth: crawl.settings.maxDepth }, io),
    })
  },
}

async function chooseCrawl(crawls: Crawls, id: string | undefined): Promise<Crawl> {
  const unfinished = async () => (await crawls.list()).find(({ crawl }) => isUnfinished(crawl.status))?.crawl
  const crawl = id === undefined ? await unfinished() : await crawls.find(id)
  if (crawl === undefined) throw nothingToResume()
  checkResumable(crawl)
  return crawl
}

/** The newest one. */
async function findUnfinished(client: Client): Promise<string> {
  let cursor: string | null = null
  do {
    const query = { limit: 1000, ...(cursor === null ? {} : { cursor }) }
    const page: ClientResponse<'listCrawls'> = await client.listCrawls({ query })
    const unfinished = page.items.find(({ status }) => isUnfinished(status))
    if (unfinished !== undefined) return unfinished.crawl_id
    cursor = page.next_cursor
  } while (cursor !== null)
  throw nothingToResume()
}

function nothingToResume(): AppError {
  return new AppError('NOTHING_TO_RESUME', 'There is no unfinished crawl to resume.')
}

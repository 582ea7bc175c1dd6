import { ARCHIVE_SETTINGS, CRAWL_PROCESS_SETTINGS } from '../../config/command-settings.ts'
import { findPatternError } from '../../engine/crawl/plan/find-pattern-error.ts'
import { AppError } from '../../lib/errors.ts'
import { isUnfinished } from '../../lib/states.ts'
import type { Crawl, Crawls } from '../../ports/crawls.ts'
import { runForegroundCrawl } from '../foreground/run-foreground-crawl.ts'
import { formatCommand } from '../format/format-command.ts'
import type { Command } from '../io.ts'
import { callServer, createServerClient, findCrawlId } from '../remote-server.ts'
import { requireCrawlId } from '../required-arguments.ts'
import { startHere, startOnWorkers } from '../start-detached.ts'

export const resume: Command = {
  usage: '[id]',
  help: 'Resume an unfinished crawl; without an id, the newest one.',
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
      const id = requireCrawlId(args, config, io)
      return callServer(client, async () => {
        const crawlId = await findCrawlId(client, id)
        await client.resumeCrawl({ params: { crawl_id: crawlId } })
        const next = formatCommand(io.program, `status ${crawlId.slice(0, 8)}`, config)
        io.stdout.write(`Resumed. See its status with: ${next}\n`)
        return 0
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
  if (id === undefined) {
    const unfinished = (await crawls.list()).find(({ crawl }) => isUnfinished(crawl.status))
    if (unfinished !== undefined) return checkPatterns(unfinished.crawl)
    throw new AppError('NOTHING_TO_RESUME', 'There is no unfinished crawl to resume.')
  }
  const crawl = await crawls.find(id)
  if (isUnfinished(crawl.status)) return checkPatterns(crawl)
  throw new AppError('NOTHING_TO_RESUME', `Crawl ${crawl.id} is ${crawl.status}; there is nothing to resume.`)
}

/** The patterns may come from an older version that allowed more. */
function checkPatterns(crawl: Crawl): Crawl {
  const patternError = findPatternError(crawl.settings)
  if (patternError !== null)
    throw new AppError(patternError.code, `Crawl ${crawl.id} cannot be resumed: ${patternError.message}`)
  return crawl
}

import { KEEPING_SETTINGS, WORK_SETTINGS } from '../../config/worker-settings.ts'
import { patternFault } from '../../engine/crawl/pattern-check.ts'
import { AppError } from '../../lib/errors.ts'
import type { Crawl, Crawls } from '../../ports/crawls.ts'
import { leaveToWorkers } from '../detach.ts'
import { commandLine } from '../hint.ts'
import type { Command } from '../io.ts'
import { requiredId } from '../required.ts'
import { clientOf } from '../server.ts'
import { watchCrawl } from '../watch.ts'
import { tellOfServer } from './steer.ts'

export const resume: Command = {
  usage: '[id]',
  help: 'Go on with an unfinished crawl, the newest one if no id is given.',
  maxArguments: 1,
  settings: [
    ...(['data', 'store', 'server', 'token', 'detach', 'config'] as const),
    ...WORK_SETTINGS,
    ...KEEPING_SETTINGS,
    ...(['json', 'quiet'] as const),
  ],
  async run(config, args, io) {
    const client = clientOf(config)
    if (client !== null) {
      return tellOfServer(client, requiredId(args, config, io), io, async (params) => {
        const { crawl_id } = await client.resumeCrawl({ params })
        return `Going on. Look at it with: ${commandLine(io.program, `status ${crawl_id.slice(0, 8)}`, config)}`
      })
    }
    if (config.detach) {
      return leaveToWorkers(config, io, async ({ crawls }) => {
        const crawl = await choose(crawls, args[0])
        await crawls.setPaused(crawl.id, false)
        return crawl
      })
    }
    const workshop = await io.openWorkshop(config, false)
    try {
      const crawl = await choose(workshop.crawls, args[0])
      await workshop.crawls.setPaused(crawl.id, false)
      return await watchCrawl(crawl, workshop, { ...config, depth: crawl.settings.maxDepth }, io)
    } finally {
      await workshop.close()
    }
  },
}

async function choose(crawls: Crawls, id: string | undefined): Promise<Crawl> {
  if (id === undefined) {
    const unfinished = (await crawls.list()).find(({ crawl }) => isUnfinished(crawl))
    if (unfinished !== undefined) return usable(unfinished.crawl)
    throw new AppError('NOTHING_TO_RESUME', 'There is no unfinished crawl to resume.')
  }
  const crawl = await crawls.find(id)
  if (isUnfinished(crawl)) return usable(crawl)
  throw new AppError('NOTHING_TO_RESUME', `Crawl ${crawl.id} is ${crawl.status}; there is nothing to resume.`)
}

/** Its patterns may be of an older version that allowed more. */
function usable(crawl: Crawl): Crawl {
  const fault = patternFault(crawl.settings)
  if (fault !== null) throw new AppError(fault.code, `Crawl ${crawl.id} cannot go on: ${fault.message}`)
  return crawl
}

function isUnfinished(crawl: Crawl): boolean {
  return crawl.status === 'running' || crawl.status === 'paused'
}

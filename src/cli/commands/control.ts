// Commands that change a crawl or a worker without crawling.

import { STORE_OR_SERVER } from '../../config/command-settings.ts'
import type { Config } from '../../config/schema.ts'
import { type CrawlChanges, withCrawlChanges } from '../crawl-changes.ts'
import { formatCommand } from '../format/format-command.ts'
import { pluralize } from '../format/units.ts'
import type { Command, Io } from '../io.ts'
import { stateLabel } from '../live/state-styles.ts'
import { requireCrawlId, requireWorkerId } from '../required-arguments.ts'
import { withAdvice } from '../with-advice.ts'

export const pause: Command = {
  usage: '<id>',
  help: 'Pause a crawl. Requests in flight are finished.',
  maxArguments: 1,
  settings: STORE_OR_SERVER,
  run: (config, args, io) =>
    changeCrawl(config, args, io, async (changes, crawlId) => {
      await changes.pause(crawlId)
      return `Paused. Resume with: ${formatCommand(io.program, `resume ${crawlId.slice(0, 8)}`, config)}`
    }),
}

export const cancel: Command = {
  usage: '<id>',
  help: 'End a crawl early. Queued URLs are excluded.',
  maxArguments: 1,
  settings: STORE_OR_SERVER,
  run: (config, args, io) =>
    changeCrawl(config, args, io, async (changes, crawlId) => {
      await changes.cancel(crawlId)
      return 'Cancelled. Requests in flight are finished.'
    }),
}

export const complete: Command = {
  usage: '<id>',
  help: 'End a crawl that visits its URLs again (--recrawl).',
  maxArguments: 1,
  settings: STORE_OR_SERVER,
  run: (config, args, io) =>
    changeCrawl(config, args, io, async (changes, crawlId) => {
      await changes.complete(crawlId)
      return 'Completed. Requests in flight are finished.'
    }),
}

export const retry: Command = {
  usage: '<id>',
  help: 'Visit the failed URLs of a crawl again. --state selects the URLs in another state.',
  maxArguments: 1,
  settings: [...STORE_OR_SERVER, 'state'],
  run: (config, args, io) =>
    changeCrawl(config, args, io, async (changes, crawlId) => {
      const state = config.state ?? 'failed'
      const urls = await changes.retry(crawlId, state)
      if (urls === 0) return `No URL of this crawl is ${stateLabel(state)}.`
      const next = formatCommand(io.program, `resume ${crawlId.slice(0, 8)}`, config)
      return `Queued again: ${pluralize(urls, 'URL')}. Visit them with: ${next}`
    }),
}

export const drain: Command = {
  usage: '<worker>',
  help: 'Make a worker finish its requests in flight and exit. The last one needs --force.',
  maxArguments: 1,
  settings: [...STORE_OR_SERVER, 'force'],
  async run(config, args, io) {
    const id = requireWorkerId(args, config, io)
    const advice = `To drain it anyway, run: ${formatCommand(io.program, `drain ${id} --force`, config)}`
    await withAdvice('LAST_WORKER', advice, () =>
      withCrawlChanges(config, io, (changes) => changes.drain(id, config.force)),
    )
    io.stdout.write('Draining.\n')
    return 0
  },
}

/** Prints what `change` returns. */
export async function changeCrawl(
  config: Config,
  args: string[],
  io: Io,
  change: (changes: CrawlChanges, crawlId: string) => Promise<string>,
): Promise<number> {
  const id = requireCrawlId(args, config, io)
  const message = await withCrawlChanges(config, io, async (changes) => change(changes, await changes.findCrawlId(id)))
  io.stdout.write(`${message}\n`)
  return 0
}

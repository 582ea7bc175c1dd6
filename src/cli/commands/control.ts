// Commands that change a crawl or a worker without crawling: workers hear of it within two seconds.

import type { Client } from '../../api/client.ts'
import type { Config } from '../../config/schema.ts'
import { AppError } from '../../lib/errors.ts'
import type { Crawl } from '../../ports/crawls.ts'
import { formatCommand } from '../format/format-command.ts'
import { pluralize } from '../format/units.ts'
import type { Command, ControlSession, Io } from '../io.ts'
import { callServer, createServerClient, findCrawlId } from '../remote-server.ts'
import { requireCrawlId } from '../required-arguments.ts'

export const pause: Command = {
  usage: '<id>',
  help: 'Pause a crawl: its workers finish what is under way.',
  maxArguments: 1,
  settings: ['data', 'store', 'server', 'token', 'config'],
  async run(config, args, io) {
    const said = (id: string) => `Paused. Go on with: ${formatCommand(io.program, `resume ${id.slice(0, 8)}`, config)}`
    const client = createServerClient(config)
    if (client !== null) {
      return changeOnServer(client, requireCrawlId(args, config, io), io, async (params) =>
        said((await client.pauseCrawl({ params })).crawl_id),
      )
    }
    return changeInStore(config, args, io, async (crawl, { crawls }) => {
      checkUnfinished(crawl)
      if (crawl.reason !== null) throw new AppError('CRAWL_CLOSED', `Crawl ${crawl.id} is ending: ${crawl.reason}.`)
      await crawls.setPaused(crawl.id, true)
      return said(crawl.id)
    })
  },
}

export const cancel: Command = {
  usage: '<id>',
  help: 'End a crawl early: what is queued is left out.',
  maxArguments: 1,
  settings: ['data', 'store', 'server', 'token', 'config'],
  async run(config, args, io) {
    const said = 'Cancelled. Its workers finish what is under way.'
    const client = createServerClient(config)
    if (client !== null) {
      return changeOnServer(client, requireCrawlId(args, config, io), io, async (params) => {
        await client.cancelCrawl({ params })
        return said
      })
    }
    return changeInStore(config, args, io, async (crawl, { crawls }) => {
      checkUnfinished(crawl)
      await crawls.close(crawl.id, 'cancelled')
      return said
    })
  },
}

export const retry: Command = {
  usage: '<id>',
  help: 'Queue urls of a crawl that ended in a state (--state, default failed) for one more visit each.',
  maxArguments: 1,
  settings: ['data', 'store', 'config', 'state'],
  run: (config, args, io) =>
    changeInStore(config, args, io, async (crawl, { crawls }) => {
      const state = config.state ?? 'failed'
      const urls = await crawls.retry(crawl.id, state)
      if (urls === 0) return `No url of this crawl is ${state}.`
      const next = formatCommand(io.program, `resume ${crawl.id.slice(0, 8)}`, config)
      return `Queued again: ${pluralize(urls, 'url')}. Visit them with: ${next}`
    }),
}

export const drain: Command = {
  usage: '<worker>',
  help: 'Tell a worker to finish what is under way and end.',
  maxArguments: 1,
  settings: ['data', 'store', 'config'],
  async run(config, [id], io) {
    return withControlSession(config, io, async ({ workers }) => {
      const known = await workers.list()
      const row = known.find((worker) => worker.id === id)
      if (row === undefined) {
        throw new AppError('WORKER_NOT_FOUND', `There is no worker "${id ?? ''}". The command workers lists them.`)
      }
      await workers.drain(row.id, 'asked by hand')
      if (known.some(({ id, state }) => id !== row.id && state === 'working')) return 'Draining.'
      return 'Draining. No other worker is running: crawls wait until one is started.'
    })
  },
}

export function changeOnServer(
  client: Client,
  id: string,
  io: Io,
  change: (params: { crawl_id: string }) => Promise<string>,
): Promise<number> {
  return callServer(client, async () => {
    io.stdout.write(`${await change({ crawl_id: await findCrawlId(client, id) })}\n`)
    return 0
  })
}

function changeInStore(
  config: Config,
  args: string[],
  io: Io,
  change: (crawl: Crawl, controlSession: ControlSession) => Promise<string>,
): Promise<number> {
  const id = requireCrawlId(args, config, io)
  return withControlSession(config, io, async (controlSession) =>
    change(await controlSession.crawls.find(id), controlSession),
  )
}

async function withControlSession(
  config: Config,
  io: Io,
  change: (controlSession: ControlSession) => Promise<string>,
): Promise<number> {
  const controlSession = await io.openControlSession(config, false)
  try {
    io.stdout.write(`${await change(controlSession)}\n`)
    return 0
  } finally {
    await controlSession.close()
  }
}

function checkUnfinished({ id, status }: Crawl): void {
  if (status === 'running' || status === 'paused') return
  throw new AppError('CRAWL_CLOSED', `Crawl ${id} is ${status}; it cannot be changed any more.`)
}

// Commands that change a crawl or a worker without crawling. Workers pick the change up within two seconds.

import type { Client } from '../../api/client.ts'
import { checkPausable, checkUnfinished } from '../../api/requests/check-unfinished.ts'
import type { Config } from '../../config/schema.ts'
import { AppError } from '../../lib/errors.ts'
import { COMPLETED_BY_USER, type Crawl } from '../../ports/crawls.ts'
import { formatCommand } from '../format/format-command.ts'
import { pluralize } from '../format/units.ts'
import type { Command, ControlSession, Io } from '../io.ts'
import { stateLabel } from '../live/state-styles.ts'
import { callServer, createServerClient, findCrawlId } from '../remote-server.ts'
import { requireCrawlId } from '../required-arguments.ts'

export const pause: Command = {
  usage: '<id>',
  help: 'Pause a crawl. Requests in flight are finished.',
  maxArguments: 1,
  settings: ['data', 'store', 'server', 'token', 'config'],
  async run(config, args, io) {
    const message = (id: string) =>
      `Paused. Resume with: ${formatCommand(io.program, `resume ${id.slice(0, 8)}`, config)}`
    const client = createServerClient(config)
    if (client !== null) {
      return changeOnServer(client, requireCrawlId(args, config, io), io, async (params) =>
        message((await client.pauseCrawl({ params })).crawl_id),
      )
    }
    return changeInStore(config, args, io, async (crawl, { crawls }) => {
      checkPausable(crawl)
      await crawls.setPaused(crawl.id, true)
      return message(crawl.id)
    })
  },
}

export const cancel: Command = {
  usage: '<id>',
  help: 'End a crawl early. Queued URLs are excluded.',
  maxArguments: 1,
  settings: ['data', 'store', 'server', 'token', 'config'],
  async run(config, args, io) {
    const message = 'Cancelled. Requests in flight are finished.'
    const client = createServerClient(config)
    if (client !== null) {
      return changeOnServer(client, requireCrawlId(args, config, io), io, async (params) => {
        await client.cancelCrawl({ params })
        return message
      })
    }
    return changeInStore(config, args, io, async (crawl, { crawls }) => {
      checkUnfinished(crawl)
      await crawls.close(crawl.id, 'cancelled')
      return message
    })
  },
}

export const complete: Command = {
  usage: '<id>',
  help: 'End a crawl that visits its URLs again (--recrawl).',
  maxArguments: 1,
  settings: ['data', 'store', 'server', 'token', 'config'],
  async run(config, args, io) {
    const message = 'Completed. Requests in flight are finished.'
    const client = createServerClient(config)
    if (client !== null) {
      return changeOnServer(client, requireCrawlId(args, config, io), io, async (params) => {
        await client.completeCrawl({ params })
        return message
      })
    }
    return changeInStore(config, args, io, async (crawl, { crawls }) => {
      checkUnfinished(crawl)
      await crawls.close(crawl.id, COMPLETED_BY_USER)
      return message
    })
  },
}

export const retry: Command = {
  usage: '<id>',
  help: 'Requeue the URLs of a crawl that are in a given state (--state, default: failed).',
  maxArguments: 1,
  settings: ['data', 'store', 'server', 'token', 'config', 'state'],
  async run(config, args, io) {
    const state = config.state ?? 'failed'
    const describe = (id: string, urls: number) => {
      if (urls === 0) return `No URL of this crawl is ${stateLabel(state)}.`
      const next = formatCommand(io.program, `resume ${id.slice(0, 8)}`, config)
      return `Queued again: ${pluralize(urls, 'URL')}. Visit them with: ${next}`
    }
    const client = createServerClient(config)
    if (client !== null) {
      return changeOnServer(client, requireCrawlId(args, config, io), io, async (params) =>
        describe(params.crawl_id, (await client.retryUrls({ params, body: { state } })).queued),
      )
    }
    return changeInStore(config, args, io, async (crawl, { crawls }) =>
      describe(crawl.id, await crawls.retry(crawl.id, state)),
    )
  },
}

export const drain: Command = {
  usage: '<worker>',
  help: 'Make a worker finish its requests in flight and exit.',
  maxArguments: 1,
  settings: ['data', 'store', 'server', 'token', 'config'],
  async run(config, [id], io) {
    const client = createServerClient(config)
    if (client !== null) {
      return callServer(client, async () => {
        await client.drainWorker({ params: { worker_id: id ?? '' } })
        const { items } = await client.listWorkers()
        io.stdout.write(`${describeDrain(items.some((row) => row.worker_id !== id && row.state === 'working'))}\n`)
        return 0
      })
    }
    return withControlSession(config, io, async ({ workers }) => {
      const rows = await workers.list()
      const row = rows.find((worker) => worker.id === id)
      if (row === undefined) {
        throw new AppError('WORKER_NOT_FOUND', `There is no worker "${id ?? ''}".`)
      }
      await workers.drain(row.id, 'requested by the drain command')
      return describeDrain(rows.some(({ id, state }) => id !== row.id && state === 'working'))
    })
  },
}

function describeDrain(hasOthers: boolean): string {
  return hasOthers ? 'Draining.' : 'Draining. No other worker is running: crawls wait until you start one.'
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

export function changeInStore(
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

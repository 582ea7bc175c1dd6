import type { Client } from '../../api/client.ts'
import type { Config } from '../../config/schema.ts'
import { jsonLine } from '../../engine/export/jsonl.ts'
import type { RejectedExample } from '../../ports/crawls.ts'
import { snapshotAtRest } from '../at-rest.ts'
import type { Command, Io } from '../io.ts'
import { streamAbility } from '../live/ability.ts'
import { summaryEvent } from '../live/json.ts'
import { summaryLines } from '../live/summary.ts'
import { clean } from '../live/units.ts'
import { requiredId } from '../required.ts'
import { clientOf, findCrawlId, onServer, toSnapshot } from '../server.ts'
import { excludedPatterns } from '../traps.ts'
import { withReader } from '../with-reader.ts'

export const status: Command = {
  usage: '<id>',
  help: 'Show where a crawl stands.',
  maxArguments: 1,
  settings: ['data', 'store', 'server', 'token', 'config', 'json'],
  async run(config, args, io) {
    const id = requiredId(args, config, io)
    const client = clientOf(config)
    if (client !== null) return onServer(client, () => statusOfServer(client, id, { config, io }))
    return withReader(config, io, async (reader) => {
      const crawl = await reader.crawls.find(id)
      const snapshot = snapshotAtRest(await reader.crawls.progress(crawl.id), await reader.heldBy(crawl.id))
      const examples = await reader.manners.rejectedExamples(crawl.id)
      const traps = excludedPatterns(await reader.manners.patterns(crawl.id))
      if (config.json) {
        const event = summaryEvent(snapshot, crawl.settings.maxDepth, traps)
        const told = examples.map(({ reason, text, pageUrl }) => ({ reason, link: text, page_url: pageUrl }))
        io.stdout.write(jsonLine({ ...event, rejected_examples: told }))
        return 0
      }
      const { color } = streamAbility(io.stdout, io.env)
      const reasons = await reader.crawls.reasons(crawl.id)
      const brokenSitemaps = await reader.manners.brokenSitemaps(crawl.id)
      const found = { reasons, brokenSitemaps, traps }
      const summary = summaryLines(snapshot, { color, place: config, program: io.program, ...found })
      const lines = [...summary, ...exampleLines(examples)]
      io.stdout.write(`${lines.join('\n')}\n`)
      return 0
    })
  },
}

async function statusOfServer(client: Client, id: string, { config, io }: { config: Config; io: Io }): Promise<number> {
  const params = { crawl_id: await findCrawlId(client, id) }
  const crawl = await client.getCrawl({ params })
  const snapshot = { ...toSnapshot(crawl), rejected: crawl.rejected }
  const traps = excludedPatterns((await client.listTraps({ params })).items)
  if (config.json) {
    io.stdout.write(jsonLine(summaryEvent(snapshot, crawl.requested_depth, traps)))
    return 0
  }
  const { color } = streamAbility(io.stdout, io.env)
  const { reasons } = await client.getStats({ params })
  const counts = Object.fromEntries(reasons.map(({ key, count }) => [key, count]))
  const lines = summaryLines(snapshot, {
    ...{ color, place: config, program: io.program },
    ...{ reasons: counts, brokenSitemaps: [], traps },
  })
  io.stdout.write(`${lines.join('\n')}\n`)
  return 0
}

const EXAMPLES_PER_REASON = 3

/** Links that were left out because something is wrong with them, a few of each kind. */
function exampleLines(examples: RejectedExample[]): string[] {
  const shown = [...Map.groupBy(examples, ({ reason }) => reason).values()].flatMap((of) =>
    of.slice(0, EXAMPLES_PER_REASON),
  )
  if (shown.length === 0) return []
  const lines = shown.map(
    ({ reason, text, pageUrl }) => `  ${clean(reason).replaceAll('_', ' ')}: ${clean(text)} on ${clean(pageUrl)}`,
  )
  return ['', 'Links left out, for example:', ...lines]
}

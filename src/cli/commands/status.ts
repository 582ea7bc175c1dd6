import type { Client, ClientResponse } from '../../api/client.ts'
import { findBottleneck } from '../../api/views/bottleneck.ts'
import { STORE_OR_SERVER } from '../../config/command-settings.ts'
import { nextRuns } from '../../config/scheduled-times.ts'
import type { Config } from '../../config/schema.ts'
import { jsonLine } from '../../engine/export/jsonl.ts'
import type { Crawl, CrawlSettings, RejectedLinkExample } from '../../ports/crawls.ts'
import { serverCrawlSource, storeCrawlSource } from '../crawl-source.ts'
import { sanitizeText } from '../format/units.ts'
import type { Command, Io, ReadSession } from '../io.ts'
import type { CrawlSnapshot } from '../live/crawl-snapshot.ts'
import { summaryEvent } from '../live/json-events.ts'
import { summaryLines } from '../live/summary.ts'
import { detectCapabilities } from '../live/terminal-capabilities.ts'
import { callServer, createServerClient, findCrawlId } from '../remote-server.ts'
import { requireCrawlId } from '../required-arguments.ts'
import { withReadSession } from '../with-read-session.ts'

export const status: Command = {
  usage: '<id>',
  help: 'Show the status and results of a crawl.',
  maxArguments: 1,
  settings: [...STORE_OR_SERVER, 'json'],
  async run(config, args, io) {
    const id = requireCrawlId(args, config, io)
    const client = createServerClient(config)
    if (client !== null) return callServer(client, () => printServerStatus(client, id, { config, io }))
    return withReadSession(config, io, async (readSession) => {
      const crawl = await readSession.crawls.find(id)
      const source = storeCrawlSource(crawl, readSession)
      const [snapshot, findings] = [await source.snapshot(), await source.findings()]
      const bottleneck = await readBottleneck(crawl, snapshot, readSession)
      const examples = await readSession.diagnostics.rejectedExamples(crawl.id)
      const command = { location: config, program: io.program }
      if (config.json) {
        const event = summaryEvent(snapshot, crawl.settings.maxDepth, { ...findings, ...command })
        const rejectedExamples = examples.map(({ reason, text, pageUrl }) => ({
          reason,
          link: text,
          page_url: pageUrl,
        }))
        io.stdout.write(jsonLine({ ...event, bottleneck, rejected_examples: rejectedExamples }))
        return 0
      }
      const { color } = detectCapabilities(io.stdout, io.env)
      const output = { ...command, color, bottleneck: bottleneck?.explanation ?? null }
      const summary = summaryLines(snapshot, { ...output, ...findings })
      const runs = scheduleLines(crawl.settings, nextRuns(crawl.settings, Date.now()))
      const lines = [...summary, ...runs, ...exampleLines(examples)]
      io.stdout.write(`${lines.join('\n')}\n`)
      return 0
    })
  },
}

async function printServerStatus(
  client: Client,
  id: string,
  { config, io }: { config: Config; io: Io },
): Promise<number> {
  const crawlId = await findCrawlId(client, id)
  const crawl = await client.getCrawl({ params: { crawl_id: crawlId } })
  const { bottleneck } = crawl
  const source = serverCrawlSource(crawlId, client)
  const [snapshot, findings] = [await source.snapshot(), await source.findings()]
  const command = { location: config, program: io.program }
  if (config.json) {
    const event = summaryEvent(snapshot, crawl.requested_depth, { ...findings, ...command })
    io.stdout.write(jsonLine({ ...event, bottleneck }))
    return 0
  }
  const { color } = detectCapabilities(io.stdout, io.env)
  const output = { ...command, color, bottleneck: bottleneck?.explanation ?? null }
  const lines = summaryLines(snapshot, { ...output, ...findings })
  const { schedule, time_zone: timeZone } = crawl.settings
  const settings = { schedule: schedule === null ? null : String(schedule), timeZone: String(timeZone) }
  const runs = scheduleLines(settings, crawl.next_runs.map(Date.parse))
  io.stdout.write(`${[...lines, ...runs].join('\n')}\n`)
  return 0
}

/** The bottleneck as in the API, from the reports of workers. Null while no worker is crawling. */
async function readBottleneck(
  { id, status }: Crawl,
  { held }: CrawlSnapshot,
  { workers }: ReadSession,
): Promise<ClientResponse<'getCrawl'>['bottleneck']> {
  const working = (await workers.list()).filter(({ state }) => state === 'working' || state === 'draining')
  const figures = working.flatMap((row) => row.figures.crawls.filter(({ crawlId }) => crawlId === id))
  const { cause, explanation, setting } = findBottleneck(status, { figures, held })
  return cause === null ? null : { cause, explanation, setting }
}

/** Times are in the time zone of the schedule. */
function scheduleLines(
  { schedule, timeZone }: Pick<CrawlSettings, 'schedule' | 'timeZone'>,
  runs: readonly number[],
): string[] {
  if (schedule === null) return []
  const format = new Intl.DateTimeFormat('en-GB', { timeZone, dateStyle: 'medium', timeStyle: 'short' })
  return ['', `Scheduled: ${schedule} (${timeZone}). Next runs:`, ...runs.map((at) => `  ${format.format(at)}`)]
}

const EXAMPLES_PER_REASON = 3

/** A few invalid links per rejection reason. */
function exampleLines(examples: RejectedLinkExample[]): string[] {
  const byReason = Map.groupBy(examples, ({ reason }) => reason)
  const shown = [...byReason.values()].flatMap((links) => links.slice(0, EXAMPLES_PER_REASON))
  if (shown.length === 0) return []
  const lines = shown.map(
    ({ reason, text, pageUrl }) =>
      `  ${sanitizeText(reason).replaceAll('_', ' ')}: ${sanitizeText(text)} on ${sanitizeText(pageUrl)}`,
  )
  return ['', 'Examples of rejected links:', ...lines]
}

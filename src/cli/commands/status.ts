import { AppError } from '../../lib/errors.ts'
import type { RejectedExample } from '../../ports/crawls.ts'
import { snapshotAtRest } from '../at-rest.ts'
import { jsonLine } from '../format/jsonl.ts'
import type { Command } from '../io.ts'
import { streamAbility } from '../live/ability.ts'
import { summaryEvent } from '../live/json.ts'
import { summaryLines } from '../live/summary.ts'
import { clean } from '../live/units.ts'
import { withReader } from '../with-reader.ts'

export const status: Command = {
  usage: '<id>',
  help: 'Show where a crawl stands.',
  maxArguments: 1,
  settings: ['data', 'store', 'config', 'json'],
  async run(config, args, io) {
    return withReader(config, io, async (reader) => {
      const crawl = await reader.crawls.find(requiredId(args))
      const snapshot = snapshotAtRest(await reader.crawls.progress(crawl.id), reader.heldBy(crawl.id))
      const examples = await reader.manners.rejectedExamples(crawl.id)
      if (config.json) {
        const event = summaryEvent(snapshot, crawl.settings.maxDepth)
        const told = examples.map(({ reason, text, pageUrl }) => ({ reason, link: text, page_url: pageUrl }))
        io.stdout.write(jsonLine({ ...event, rejected_examples: told }))
        return 0
      }
      const { color } = streamAbility(io.stdout, io.env)
      const reasons = await reader.crawls.reasons(crawl.id)
      const brokenSitemaps = await reader.manners.brokenSitemaps(crawl.id)
      const summary = summaryLines(snapshot, { color, place: config, reasons, brokenSitemaps })
      const lines = [...summary, ...exampleLines(examples)]
      io.stdout.write(`${lines.join('\n')}\n`)
      return 0
    })
  },
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

export function requiredId(args: string[]): string {
  const [id] = args
  if (id === undefined) throw new AppError('USAGE', 'Name a crawl by its id; the command crawls lists them.')
  return id
}

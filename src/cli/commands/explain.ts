import { STORE_OR_SERVER } from '../../config/command-settings.ts'
import { jsonLine } from '../../engine/export/jsonl.ts'
import { AppError } from '../../lib/errors.ts'
import { sanitizeText } from '../format/units.ts'
import type { Command } from '../io.ts'
import { type ReadCalls, withReadClient } from '../read-client/read-client.ts'
import { requireCrawlId } from '../required-arguments.ts'

type Explanation = Awaited<ReturnType<ReadCalls['explainUrl']>>

export const explain: Command = {
  usage: '<id> <url>',
  help: 'Explain why a crawl visited a URL or not, check by check.',
  maxArguments: 2,
  settings: [...STORE_OR_SERVER, 'json'],
  async run(config, args, io) {
    const id = requireCrawlId(args, config, io)
    const [, url] = args
    if (url === undefined) {
      throw new AppError('USAGE', `Give a URL, for example: ${io.program} explain ${id} https://example.com/`)
    }
    const explanation = await withReadClient(config, io, async (client) =>
      client.explainUrl({ params: { crawl_id: await client.findCrawlId(id) }, query: { url } }),
    )
    io.stdout.write(config.json ? jsonLine(explanation) : `${explanationLines(explanation).join('\n')}\n`)
    return 0
  },
}

const STEP_LABELS: Partial<Record<Explanation['steps'][number]['step'], string>> = {
  address: 'URL',
  shape: 'URL shape',
  robots: 'robots.txt',
}

/** Checks that passed have no mark, so that the others stand out. */
const MARKS = { passed: ' ', refused: 'x', unknown: '?' } as const

function explanationLines({ url, answer, steps }: Explanation): string[] {
  const names = steps.map(({ step }) => STEP_LABELS[step] ?? step)
  const width = Math.max(...names.map((name) => name.length))
  return [
    sanitizeText(url),
    sanitizeText(answer),
    '',
    ...steps.map(({ outcome, detail }, i) => {
      return `${MARKS[outcome]} ${(names[i] ?? '').padEnd(width)}  ${sanitizeText(detail)}`
    }),
  ]
}

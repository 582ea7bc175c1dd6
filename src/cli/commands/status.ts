import { AppError } from '../../lib/errors.ts'
import { snapshotAtRest } from '../at-rest.ts'
import { jsonLine } from '../format/jsonl.ts'
import type { Command } from '../io.ts'
import { streamAbility } from '../live/ability.ts'
import { summaryEvent } from '../live/json.ts'
import { summaryLines } from '../live/summary.ts'

export const status: Command = {
  usage: '<id>',
  help: 'Show where a crawl stands.',
  maxArguments: 1,
  settings: ['data', 'config', 'json'],
  async run(config, args, io) {
    const reader = io.openReader(config.data)
    try {
      const crawl = reader.crawls.find(requiredId(args))
      const snapshot = snapshotAtRest(reader.crawls.progress(crawl.id))
      if (config.json) {
        io.stdout.write(jsonLine(summaryEvent(snapshot, crawl.settings.maxDepth)))
        return 0
      }
      const { color } = streamAbility(io.stdout, io.env)
      const reasons = reader.crawls.reasons(crawl.id)
      io.stdout.write(`${summaryLines(snapshot, { color, dataDir: config.data, reasons }).join('\n')}\n`)
      return 0
    } finally {
      reader.close()
    }
  },
}

export function requiredId(args: string[]): string {
  const [id] = args
  if (id === undefined) throw new AppError('USAGE', 'Name a crawl by its id. List them with: orbweaver crawls')
  return id
}

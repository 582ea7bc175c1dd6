import { AppError } from '../../lib/errors.ts'
import { snapshotAtRest } from '../at-rest.ts'
import type { Command } from '../io.ts'
import { streamAbility } from '../live/ability.ts'
import { summaryEvent } from '../live/json.ts'
import { summaryLines } from '../live/summary.ts'

export const status: Command = {
  usage: '<id>',
  help: 'Show where a crawl stands.',
  settings: ['data', 'config', 'json'],
  async run(config, args, io) {
    const reader = io.openReader(config.data)
    try {
      const crawl = reader.crawls.find(requiredId(args))
      const snapshot = snapshotAtRest(reader.crawls.progress(crawl.id))
      const lines = config.json
        ? [JSON.stringify(summaryEvent(snapshot, crawl.settings.maxDepth))]
        : summaryLines(snapshot, { color: streamAbility(io.stdout, io.env).color, dataDir: config.data })
      io.stdout.write(`${lines.join('\n')}\n`)
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

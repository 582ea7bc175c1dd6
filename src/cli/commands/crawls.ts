import { ledgerTotal } from '../../ports/state.ts'
import { snapshotAtRest } from '../at-rest.ts'
import { jsonLine } from '../format/jsonl.ts'
import type { Command } from '../io.ts'
import { summaryEvent } from '../live/json.ts'
import { clean, grouped } from '../live/units.ts'
import { withReader } from '../with-reader.ts'

export const crawls: Command = {
  usage: '',
  help: 'List the crawls of a data directory.',
  maxArguments: 0,
  settings: ['data', 'config', 'json'],
  async run(config, _args, io) {
    return withReader(config, io, async (reader) => {
      const list = reader.crawls.list()
      if (config.json) {
        for (const progress of list) {
          const event = summaryEvent(snapshotAtRest(progress), progress.crawl.settings.maxDepth)
          io.stdout.write(jsonLine({ ...event, type: 'crawl' }))
        }
        return 0
      }
      if (list.length === 0) io.stdout.write('No crawls yet.\n')
      for (const { crawl, ledger } of list) {
        const started = new Date(crawl.createdAt).toISOString().slice(0, 16).replace('T', ' ')
        const counts = `${grouped(ledger.visited).padStart(11)} visited of ${grouped(ledgerTotal(ledger)).padEnd(11)}`
        io.stdout.write(`${crawl.id}  ${crawl.status.padEnd(9)}  ${started}  ${counts}  ${clean(crawl.rootUrl)}\n`)
      }
      return 0
    })
  },
}

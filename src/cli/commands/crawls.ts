import type { CrawlProgress } from '../../ports/crawls.ts'
import { ledgerTotal } from '../../ports/state.ts'
import { snapshotAtRest } from '../at-rest.ts'
import { jsonLine } from '../format/jsonl.ts'
import { type TableColumn, tableLines, widthOf } from '../format/table.ts'
import type { Command } from '../io.ts'
import { summaryEvent } from '../live/json.ts'
import { pageCount } from '../live/states.ts'
import { grouped } from '../live/units.ts'
import { withReader } from '../with-reader.ts'

const COLUMNS: TableColumn<CrawlProgress>[] = [
  // The beginning of an id is enough for every command.
  { title: 'crawl', align: 'left', value: ({ crawl }) => crawl.id, short: ({ crawl }) => crawl.id.slice(0, 8) },
  { title: 'status', align: 'left', value: ({ crawl }) => crawl.status },
  { title: 'started', align: 'left', value: ({ crawl }) => minute(crawl.createdAt), dropAs: 1 },
  { title: 'visited', align: 'right', value: (progress) => grouped(pageCount(progress)), dropAs: 3 },
  { title: 'urls', align: 'right', value: ({ ledger }) => grouped(ledgerTotal(ledger)), dropAs: 2 },
  { title: 'start', align: 'left', value: ({ crawl }) => crawl.rootUrl, isFlexible: true },
]

export const crawls: Command = {
  usage: '',
  help: 'List the crawls of a data directory.',
  maxArguments: 0,
  settings: ['data', 'store', 'config', 'json'],
  async run(config, _args, io) {
    return withReader(config, io, async (reader) => {
      const list = await reader.crawls.list()
      if (config.json) {
        for (const progress of list) {
          const snapshot = snapshotAtRest(progress, reader.heldBy(progress.crawl.id))
          const event = summaryEvent(snapshot, progress.crawl.settings.maxDepth)
          io.stdout.write(jsonLine({ ...event, type: 'crawl' }))
        }
      } else if (list.length === 0) io.stdout.write('No crawls yet.\n')
      else io.stdout.write(`${tableLines(COLUMNS, list, widthOf(io.stdout)).join('\n')}\n`)
      return 0
    })
  },
}

function minute(at: number): string {
  return new Date(at).toISOString().slice(0, 16).replace('T', ' ')
}

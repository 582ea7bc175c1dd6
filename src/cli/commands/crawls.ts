import type { Client, ClientAnswer } from '../../api/client.ts'
import type { Config } from '../../config/schema.ts'
import { jsonLine } from '../../engine/export/jsonl.ts'
import { ledgerTotal, pageCount } from '../../ports/state.ts'
import { snapshotAtRest } from '../at-rest.ts'
import { type TableColumn, tableLines, widthOf } from '../format/table.ts'
import type { Command, Io } from '../io.ts'
import { summaryEvent } from '../live/json.ts'
import type { LiveSnapshot } from '../live/snapshot.ts'
import { grouped } from '../live/units.ts'
import { clientOf, onServer, toSnapshot } from '../server.ts'
import { withReader } from '../with-reader.ts'

interface Row {
  snapshot: LiveSnapshot
  createdAt: number
  maxDepth: number | null
}

const COLUMNS: TableColumn<Row>[] = [
  // The beginning of an id is enough for every command.
  {
    title: 'crawl',
    align: 'left',
    value: ({ snapshot }) => snapshot.crawlId,
    short: ({ snapshot }) => snapshot.crawlId.slice(0, 8),
  },
  { title: 'status', align: 'left', value: ({ snapshot }) => snapshot.status },
  { title: 'started (UTC)', align: 'left', value: ({ createdAt }) => minute(createdAt), dropAs: 1 },
  { title: 'visited', align: 'right', value: ({ snapshot }) => grouped(pageCount(snapshot)), dropAs: 3 },
  { title: 'urls', align: 'right', value: ({ snapshot }) => grouped(ledgerTotal(snapshot.ledger)), dropAs: 2 },
  { title: 'start', align: 'left', value: ({ snapshot }) => snapshot.rootUrl, isFlexible: true },
]

export const crawls: Command = {
  usage: '',
  help: 'List the crawls of a data directory.',
  maxArguments: 0,
  settings: ['data', 'store', 'server', 'token', 'config', 'json'],
  async run(config, _args, io) {
    const client = clientOf(config)
    const rows = client === null ? await rowsOfStore(config, io) : await onServer(client, rowsOfServer)
    if (config.json) {
      for (const { snapshot, maxDepth } of rows) {
        const { excluded_patterns: _, ...event } = summaryEvent(snapshot, maxDepth, [])
        io.stdout.write(jsonLine({ ...event, type: 'crawl' }))
      }
    } else if (rows.length === 0) io.stdout.write('No crawls yet.\n')
    else io.stdout.write(`${tableLines(COLUMNS, rows, widthOf(io.stdout)).join('\n')}\n`)
    return 0
  },
}

function rowsOfStore(config: Config, io: Io): Promise<Row[]> {
  return withReader(config, io, async (reader) => {
    const rows: Row[] = []
    for (const progress of await reader.crawls.list()) {
      const { id, status, createdAt, settings } = progress.crawl
      const held = status === 'running' ? await reader.heldBy(id) : null
      rows.push({ snapshot: snapshotAtRest(progress, held), createdAt, maxDepth: settings.maxDepth })
    }
    return rows
  })
}

async function rowsOfServer(client: Client): Promise<Row[]> {
  const rows: Row[] = []
  let cursor: string | null = null
  do {
    const page: ClientAnswer<'listCrawls'> = await client.listCrawls({
      query: { limit: 1000, ...(cursor === null ? {} : { cursor }) },
    })
    for (const item of page.items) {
      rows.push({ snapshot: toSnapshot(item), createdAt: Date.parse(item.created_at), maxDepth: item.requested_depth })
    }
    cursor = page.next_cursor
  } while (cursor !== null)
  return rows
}

function minute(at: number): string {
  return new Date(at).toISOString().slice(0, 16).replace('T', ' ')
}

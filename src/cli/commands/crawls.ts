import type { Client, ClientResponse } from '../../api/client.ts'
import { STORE_OR_SERVER } from '../../config/command-settings.ts'
import type { Config } from '../../config/schema.ts'
import { jsonLine } from '../../engine/export/jsonl.ts'
import { minuteText } from '../../lib/iso-time.ts'
import { isActive, ledgerTotal, pageCount } from '../../lib/states.ts'
import { outputWidth, type TableColumn, tableLines } from '../format/table.ts'
import { groupDigits } from '../format/units.ts'
import type { Command, Io } from '../io.ts'
import type { CrawlSnapshot } from '../live/crawl-snapshot.ts'
import { summaryEvent } from '../live/json-events.ts'
import { failureText } from '../live/summary.ts'
import { callServer, createServerClient, toCrawlSnapshot } from '../remote-server.ts'
import { storedSnapshot } from '../stored-snapshot.ts'
import { withReadSession } from '../with-read-session.ts'

interface Row {
  snapshot: CrawlSnapshot
  createdAt: number
  maxDepth: number | null
}

const COLUMNS: TableColumn<Row>[] = [
  // Every command accepts the start of an id.
  {
    title: 'id',
    align: 'left',
    value: ({ snapshot }) => snapshot.crawlId,
    short: ({ snapshot }) => snapshot.crawlId.slice(0, 8),
  },
  { title: 'status', align: 'left', value: ({ snapshot }) => statusText(snapshot) },
  { title: 'started (UTC)', align: 'left', value: ({ createdAt }) => minuteText(createdAt), dropAs: 1 },
  { title: 'visited', align: 'right', value: ({ snapshot }) => groupDigits(pageCount(snapshot)), dropAs: 3 },
  { title: 'URLs', align: 'right', value: ({ snapshot }) => groupDigits(ledgerTotal(snapshot.ledger)), dropAs: 2 },
  { title: 'start', align: 'left', value: ({ snapshot }) => snapshot.rootUrl, isFlexible: true },
]

export const crawls: Command = {
  usage: '',
  help: 'List all crawls.',
  maxArguments: 0,
  settings: [...STORE_OR_SERVER, 'json'],
  async run(config, _args, io) {
    const client = createServerClient(config)
    const rows = client === null ? await readStoreRows(config, io) : await callServer(client, readServerRows)
    if (config.json) {
      for (const { snapshot, maxDepth } of rows) {
        const facts = { traps: [], reasons: {}, program: io.program, location: config }
        const { excluded_patterns: _, needs_javascript: __, ...event } = summaryEvent(snapshot, maxDepth, facts)
        io.stdout.write(jsonLine({ ...event, type: 'crawl' }))
      }
    } else if (rows.length === 0) io.stdout.write('No crawls yet.\n')
    else io.stdout.write(`${tableLines(COLUMNS, rows, outputWidth(io.stdout)).join('\n')}\n`)
    return 0
  },
}

function readStoreRows(config: Config, io: Io): Promise<Row[]> {
  return withReadSession(config, io, async (readSession) => {
    const rows: Row[] = []
    for (const progress of await readSession.crawls.list()) {
      const { id, status, createdAt, settings } = progress.crawl
      const held = isActive(status) ? await readSession.holdReason(id) : null
      rows.push({ snapshot: storedSnapshot(progress, held), createdAt, maxDepth: settings.maxDepth })
    }
    return rows
  })
}

async function readServerRows(client: Client): Promise<Row[]> {
  const rows: Row[] = []
  let cursor: string | null = null
  do {
    const page: ClientResponse<'listCrawls'> = await client.listCrawls({
      query: { limit: 1000, ...(cursor === null ? {} : { cursor }) },
    })
    for (const item of page.items) {
      rows.push({
        snapshot: toCrawlSnapshot(item),
        createdAt: Date.parse(item.created_at),
        maxDepth: item.requested_depth,
      })
    }
    cursor = page.next_cursor
  } while (cursor !== null)
  return rows
}

function statusText(snapshot: CrawlSnapshot): string {
  return snapshot.status === 'completed' ? `completed${failureText(snapshot)}` : snapshot.status
}

import type { ClientResponse } from '../../api/client.ts'
import { STORE_OR_SERVER } from '../../config/command-settings.ts'
import { jsonLine } from '../../engine/export/jsonl.ts'
import { formatCommand } from '../format/format-command.ts'
import { outputWidth, type TableColumn, tableLines } from '../format/table.ts'
import { formatBytes, formatDuration, groupDigits } from '../format/units.ts'
import type { Command } from '../io.ts'
import { withReadClient } from '../read-client/read-client.ts'

type Row = ClientResponse<'listWorkers'>['items'][number]

function columns(now: number): TableColumn<Row>[] {
  const msSince = (time: string) => Math.max(0, now - Date.parse(time))
  return [
    { title: 'worker', align: 'left', value: (row) => row.worker_id },
    { title: 'state', align: 'left', value: (row) => row.state },
    { title: 'last seen', align: 'right', value: (row) => `${formatDuration(msSince(row.seen_at))} ago` },
    { title: 'uptime', align: 'right', value: (row) => formatDuration(uptimeMs(row)), dropAs: 3 },
    { title: 'requests', align: 'right', value: (row) => groupDigits(row.requests), dropAs: 6 },
    { title: 'failed', align: 'right', value: (row) => groupDigits(row.requests - row.answers), dropAs: 4 },
    { title: 'in flight', align: 'right', value: (row) => groupDigits(row.in_flight), dropAs: 5 },
    { title: 'received', align: 'right', value: (row) => formatBytes(row.bytes), dropAs: 1 },
    { title: 'CPU', align: 'right', value: (row) => `${row.cpu_percent}%`, dropAs: 2 },
    { title: 'memory', align: 'right', value: (row) => formatBytes(row.rss_bytes), dropAs: 2 },
    { title: 'note', align: 'left', value: (row) => row.note ?? row.held ?? '', isFlexible: true },
  ]
}

function uptimeMs({ started_at, seen_at }: Row): number {
  return Date.parse(seen_at) - Date.parse(started_at)
}

export const workers: Command = {
  usage: '',
  help: 'List the workers of the store: working, gone or lost.',
  maxArguments: 0,
  settings: [...STORE_OR_SERVER, 'json'],
  async run(config, _args, io) {
    const { items } = await withReadClient(config, io, (client) => client.listWorkers({}))
    if (config.json) for (const row of items) io.stdout.write(jsonLine(toJson(row)))
    else if (items.length === 0) {
      const hint = config.server === null ? ` Start one with: ${formatCommand(io.program, 'worker', config)}` : ''
      io.stdout.write(`There are no workers yet.${hint}\n`)
    } else io.stdout.write(`${tableLines(columns(Date.now()), items, outputWidth(io.stdout)).join('\n')}\n`)
    return 0
  },
}

function toJson({ worker_id, rss_bytes, recent_requests: _, recent_failures: __, ...row }: Row): object {
  return { id: worker_id, ...row, memory_bytes: rss_bytes }
}

import { jsonLine } from '../../engine/export/jsonl.ts'
import { isoTime, isoTimeOrNull } from '../../lib/iso-time.ts'
import type { WorkerRow } from '../../ports/workers.ts'
import { formatCommand } from '../format/format-command.ts'
import { outputWidth, type TableColumn, tableLines } from '../format/table.ts'
import { formatBytes, formatDuration, groupDigits } from '../format/units.ts'
import type { Command } from '../io.ts'
import { withReadSession } from '../with-read-session.ts'

function columns(now: number): TableColumn<WorkerRow>[] {
  return [
    { title: 'worker', align: 'left', value: (row) => row.id },
    { title: 'state', align: 'left', value: (row) => row.state },
    { title: 'last seen', align: 'right', value: (row) => `${formatDuration(Math.max(0, now - row.seenAt))} ago` },
    { title: 'uptime', align: 'right', value: (row) => formatDuration(row.seenAt - row.startedAt), dropAs: 3 },
    { title: 'requests', align: 'right', value: ({ figures }) => groupDigits(figures.requests), dropAs: 6 },
    {
      title: 'failed',
      align: 'right',
      value: ({ figures }) => groupDigits(figures.requests - figures.answers),
      dropAs: 4,
    },
    { title: 'in flight', align: 'right', value: ({ figures }) => groupDigits(figures.inFlight), dropAs: 5 },
    { title: 'received', align: 'right', value: ({ figures }) => formatBytes(figures.bytes), dropAs: 1 },
    { title: 'CPU', align: 'right', value: ({ figures }) => `${figures.cpuPercent}%`, dropAs: 2 },
    { title: 'memory', align: 'right', value: ({ figures }) => formatBytes(figures.rssBytes), dropAs: 2 },
    { title: 'note', align: 'left', value: (row) => row.note ?? row.figures.held ?? '', isFlexible: true },
  ]
}

export const workers: Command = {
  usage: '',
  help: 'List the workers of the store: working, gone or lost.',
  maxArguments: 0,
  settings: ['data', 'store', 'config', 'json'],
  async run(config, _args, io) {
    return withReadSession(config, io, async (readSession) => {
      const rows = await readSession.workers.list()
      if (config.json) for (const row of rows) io.stdout.write(jsonLine(toJson(row)))
      else if (rows.length === 0) {
        const next = formatCommand(io.program, 'worker', config)
        io.stdout.write(`There are no workers yet. Start one with: ${next}\n`)
      } else io.stdout.write(`${tableLines(columns(Date.now()), rows, outputWidth(io.stdout)).join('\n')}\n`)
      return 0
    })
  },
}

function toJson({ id, name, version, state, note, startedAt, seenAt, figures }: WorkerRow): object {
  return {
    id,
    name,
    version,
    state,
    note,
    started_at: isoTime(startedAt),
    seen_at: isoTime(seenAt),
    cpu_percent: figures.cpuPercent,
    memory_bytes: figures.rssBytes,
    loop_delay_ms: figures.loopDelayMs,
    requests: figures.requests,
    answers: figures.answers,
    bytes: figures.bytes,
    in_flight: figures.inFlight,
    last_answer_at: isoTimeOrNull(figures.lastAnswerAt),
    held: figures.held,
  }
}

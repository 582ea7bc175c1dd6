import { jsonLine } from '../../engine/export/jsonl.ts'
import { AppError, EXIT } from '../../lib/errors.ts'
import { formatCommand } from '../format/format-command.ts'
import { formatBytes, groupDigits, pluralize, sanitizeText } from '../format/units.ts'
import type { Command, Io, MoveEvent, MoveSummary } from '../io.ts'
import { withAdvice } from '../with-advice.ts'

/** Rows of a table between two progress lines; each table also gets a final line. */
const PROGRESS_ROWS = 100_000
const NAME_WIDTH = 20
const SEGMENTS_ADVICE =
  'Copy the segments there, name their folder with --data or their bucket with --archive-store, or use --force to move the store without them.'

export const move: Command = {
  usage: '--from <store> --to <store>',
  help: 'Copy all crawls between a data directory and Postgres.',
  maxArguments: 0,
  localReason: 'it moves the files of a store. Run it on the machine that has them.',
  settings: ['from', 'to', 'data', 'archiveStore', 'force', 'config', 'json'],
  async run(config, _args, io) {
    const { from, to, data, archiveStore } = config
    if (from === null || to === null) {
      throw new AppError(
        'USAGE',
        `Give the source and the target: ${io.program} move --from ./orbweaver-data --to postgres://user@host/database`,
      )
    }
    const stop = new AbortController()
    const removeHandler = io.onInterrupt(() => stop.abort())
    try {
      const printProgress = createProgressPrinter(config.json, io)
      const request = { from, to, data, archiveStore, isForced: config.force }
      const summary = await withAdvice('SEGMENTS_ELSEWHERE', SEGMENTS_ADVICE, () =>
        io.moveStore(request, printProgress, stop.signal),
      )
      if (config.json) io.stdout.write(jsonLine({ type: 'moved', ...toJson(summary) }))
      else
        for (const line of moveSummaryLines(summary, { target: to, data, program: io.program }))
          io.stdout.write(`${line}\n`)
      return EXIT.completed
    } catch (error) {
      if (!stop.signal.aborted) throw error
      io.stderr.write('Interrupted. The source is unchanged; run the same command to start over.\n')
      return EXIT.interrupted
    } finally {
      removeHandler()
    }
  },
}

function createProgressPrinter(isJson: boolean, io: Io): (event: MoveEvent) => void {
  let printedRows = 0
  return (event) => {
    if (event.kind === 'warning') io.stderr.write(`Warning: ${sanitizeText(event.text)}\n`)
    else if (event.kind === 'recount') {
      if (!isJson) io.stdout.write('Recounting every crawl.\n')
    } else {
      const { table, rows, isDone } = event
      const isDue = isDone || rows - printedRows >= PROGRESS_ROWS
      if (isDue)
        io.stdout.write(isJson ? jsonLine({ type: 'rows', table, rows, is_done: isDone }) : tableLine(table, rows))
      printedRows = isDone ? 0 : isDue ? rows : printedRows
    }
  }
}

function tableLine(table: string, rows: number): string {
  return `  ${table.replaceAll('_', ' ').padEnd(NAME_WIDTH)}${groupDigits(rows).padStart(12)}\n`
}

function toJson({ from, to, rows, segments: { linked, copied, copiedBytes } }: MoveSummary): object {
  return { from, to, rows, segments_linked: linked, segments_copied: copied, bytes_copied: copiedBytes }
}

interface SummaryContext {
  target: string
  data: string
  program: string
}

function moveSummaryLines(summary: MoveSummary, { target, data, program }: SummaryContext): string[] {
  const { from, to, rows, segments } = summary
  const { isSameFolder, linked, copied, copiedBytes } = segments
  const what = `${pluralize(rows['crawls'] ?? 0, 'crawl')} with ${pluralize(rows['urls'] ?? 0, 'URL')}`
  const lines = [`Moved ${what} from ${sanitizeText(from)} to ${sanitizeText(to)}. Nothing is lost or duplicated.`]
  if (isSameFolder) lines.push('Both stores share one archive folder: continue in only one of them.')
  if (linked > 0) lines.push(`Linked ${pluralize(linked, 'archive segment')} from the source.`)
  if (copied > 0) lines.push(`Copied ${pluralize(copied, 'archive segment')} (${formatBytes(copiedBytes)}).`)
  const isDatabase = target.includes('://')
  const location = isDatabase ? { data, store: target } : { data: target, store: null }
  lines.push(`List the crawls with: ${formatCommand(program, 'crawls', location)}`)
  return lines
}

import { jsonLine } from '../../engine/export/jsonl.ts'
import { AppError, EXIT } from '../../lib/errors.ts'
import { commandLine } from '../hint.ts'
import type { Command, Io, MoveEvent, MoveSummary } from '../io.ts'
import { bytes, clean, grouped, plural } from '../live/units.ts'

/** A line is printed for each further so many rows of a table, and for each table. */
const TOLD_ROWS = 100_000
const NAME_WIDTH = 20

export const move: Command = {
  usage: '--from <store> --to <store>',
  help: 'Take a store with all its crawls from a data directory to a database, or back.',
  maxArguments: 0,
  settings: ['from', 'to', 'data', 'force', 'config', 'json'],
  async run(config, _args, io) {
    const { from, to, data } = config
    if (from === null || to === null) {
      throw new AppError(
        'USAGE',
        `Say which store to move and where: ${io.program} move --from ./orbweaver-data --to URL`,
      )
    }
    const stop = new AbortController()
    const forgetInterrupt = io.onInterrupt(() => stop.abort())
    try {
      const tell = teller(config.json, io)
      const summary = await io.move({ from, to, data, isForced: config.force }, tell, stop.signal)
      if (config.json) io.stdout.write(jsonLine({ type: 'moved', ...toJson(summary) }))
      else for (const line of linesOf(summary, { target: to, data, program: io.program })) io.stdout.write(`${line}\n`)
      return EXIT.completed
    } catch (error) {
      if (!stop.signal.aborted) throw error
      io.stderr.write('Stopped before the end. The source is as it was; the same command starts over.\n')
      return EXIT.interrupted
    } finally {
      forgetInterrupt()
    }
  },
}

function teller(isJson: boolean, io: Io): (event: MoveEvent) => void {
  let told = 0
  return (event) => {
    if (event.kind === 'warning') io.stderr.write(`Warning: ${clean(event.text)}\n`)
    else if (event.kind === 'recount') {
      if (!isJson) io.stdout.write('Recounting every crawl.\n')
    } else {
      const { table, rows, isDone } = event
      const isDue = isDone || rows - told >= TOLD_ROWS
      if (isDue)
        io.stdout.write(isJson ? jsonLine({ type: 'rows', table, rows, is_done: isDone }) : lineOf(table, rows))
      told = isDone ? 0 : isDue ? rows : told
    }
  }
}

function lineOf(table: string, rows: number): string {
  return `  ${table.replaceAll('_', ' ').padEnd(NAME_WIDTH)}${grouped(rows).padStart(12)}\n`
}

function toJson({ from, to, rows, segments: { linked, copied, copiedBytes } }: MoveSummary): object {
  return { from, to, rows, segments_linked: linked, segments_copied: copied, bytes_copied: copiedBytes }
}

interface Words {
  target: string
  data: string
  program: string
}

function linesOf(summary: MoveSummary, { target, data, program }: Words): string[] {
  const { from, to, rows, segments } = summary
  const { isSameFolder, linked, copied, copiedBytes } = segments
  const what = `${plural(rows['crawls'] ?? 0, 'crawl')} with ${plural(rows['urls'] ?? 0, 'url')}`
  const lines = [`Moved ${what} from ${clean(from)} to ${clean(to)}. Nothing is lost or doubled.`]
  if (isSameFolder) lines.push('Both stores use the same archive: go on in one of them only.')
  if (linked > 0) lines.push(`${plural(linked, 'segment')} of the archive shared with the source.`)
  if (copied > 0) lines.push(`${plural(copied, 'segment')} of the archive copied (${bytes(copiedBytes)}).`)
  const isDatabase = target.includes('://')
  const place = isDatabase ? { data, store: target } : { data: target, store: null }
  lines.push(`Look at it with: ${commandLine(program, 'crawls', place)}`)
  return lines
}

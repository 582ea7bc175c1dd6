import { diff } from 'node:util'
import { type ReadingParts, readPage } from '../../engine/pages/read.ts'
import type { PageVersion } from '../../ports/pages.ts'
import { jsonLine } from '../format/jsonl.ts'
import type { Command } from '../io.ts'
import { bytes, clean } from '../live/units.ts'
import { withReader } from '../with-reader.ts'
import { versionsOf } from './page.ts'

/** Longer texts are compared by their beginning. */
const MAX_LINES = 2000
const MAX_SHOWN = 60

export const history: Command = {
  usage: '<url>',
  help: 'List the versions of a page, and what changed in its text.',
  maxArguments: 1,
  settings: ['data', 'store', 'config', 'json'],
  async run(config, args, io) {
    return withReader(config, io, async (reader) => {
      const versions = await versionsOf(reader.pages, args[0])
      let before: PageVersion | null = null
      for (const version of versions) {
        const changes = before === null ? [] : await textChanges(before, version, reader)
        if (config.json) io.stdout.write(jsonLine({ ...version, text_changes: changes }))
        else io.stdout.write(`${[lineOf(version, before), ...changes.slice(0, MAX_SHOWN)].map(clean).join('\n')}\n`)
        before = version
      }
      return 0
    })
  },
}

function lineOf(version: PageVersion, before: PageVersion | null): string {
  const isSame = before !== null && before.contentHash === version.contentHash
  const oldest = version.version === 1 ? 'first seen' : 'oldest kept'
  const what = before === null ? oldest : isSame ? 'unchanged' : 'changed'
  const time = new Date(version.visitedAt).toISOString().slice(0, 19).replace('T', ' ')
  return `${version.version}  ${time}  ${version.httpStatus ?? '-'}  ${bytes(version.wireBytes)}  ${what}`
}

/** Lines that came and went, in order, each with a sign before it. */
async function textChanges(before: PageVersion, after: PageVersion, parts: ReadingParts): Promise<string[]> {
  if (before.contentHash === after.contentHash) return []
  const [old, new_] = await Promise.all([before, after].map((version) => linesOf(version, parts)))
  return diff(new_ ?? [], old ?? []).flatMap(([sign, line]) =>
    sign === 0 ? [] : [`   ${sign > 0 ? '+' : '-'} ${line}`],
  )
}

async function linesOf(version: PageVersion, parts: ReadingParts): Promise<string[]> {
  if (version.record === null) return []
  const { text } = await readPage(version, parts)
  return text.split('\n').slice(0, MAX_LINES)
}

import { jsonLine } from '../../engine/export/jsonl.ts'
import { readPage } from '../../engine/pages/read.ts'
import { MAX_LINES, NO_CHANGES, type TextChanges, textChanges } from '../../engine/pages/text-changes.ts'
import { isUnchanged, versionJson } from '../../engine/pages/version.ts'
import type { PageVersion } from '../../ports/pages.ts'
import type { Command } from '../io.ts'
import { bytes, clean, grouped, plural, truncate } from '../live/units.ts'
import { requiredUrl } from '../required.ts'
import { withReader } from '../with-reader.ts'
import { versionsOf } from './page.ts'

const MAX_SHOWN = 60
const MAX_WIDTH = 200

export const history: Command = {
  usage: '<url>',
  help: 'List the versions of a page, and what changed in its text.',
  maxArguments: 1,
  settings: ['data', 'store', 'config', 'healthSecret', 'json'],
  async run(config, args, io) {
    const url = requiredUrl(args, 'history', io)
    return withReader(config, io, async (reader) => {
      const versions = await versionsOf(reader.pages, url)
      let before: PageVersion | null = null
      for (const version of versions) {
        const changes =
          before === null ? NO_CHANGES : await textChanges(before, version, (one) => readPage(one, reader))
        if (config.json) io.stdout.write(jsonLine({ ...versionJson(version), ...changesJson(changes) }))
        else io.stdout.write(`${[lineOf(version, before), ...linesOf(changes)].join('\n')}\n`)
        before = version
      }
      return 0
    })
  },
}

function lineOf(version: PageVersion, before: PageVersion | null): string {
  const oldest = version.version === 1 ? 'first seen' : 'oldest kept'
  const what = before === null ? oldest : isUnchanged(before, version) ? 'unchanged' : 'changed'
  const time = new Date(version.visitedAt).toISOString().slice(0, 19).replace('T', ' ')
  const target = version.redirectTo === null ? '' : `  to ${version.redirectTo}`
  return clean(
    `${version.version}  ${time}  ${version.httpStatus ?? '-'}  ${bytes(version.wireBytes)}  ${what}${target}`,
  )
}

function linesOf({ lines, isCut, problem }: TextChanges): string[] {
  const shown = lines.slice(0, MAX_SHOWN).map((line) => truncate(clean(line), MAX_WIDTH))
  const hidden = lines.length - shown.length
  if (hidden > 0) shown.push(`and ${plural(hidden, 'more line')}; --json has them all`)
  if (isCut) shown.push(`only the first ${grouped(MAX_LINES)} lines of each version were compared`)
  if (problem !== null) shown.push(`no text to compare: ${clean(problem)}`)
  return shown.map((line) => `   ${line}`)
}

function changesJson({ lines, isCut, problem }: TextChanges): object {
  return { text_changes: lines, text_changes_cut: isCut, text_changes_problem: problem }
}

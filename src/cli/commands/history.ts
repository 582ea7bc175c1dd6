import { jsonLine } from '../../engine/export/jsonl.ts'
import { isUnchanged, toVersionJson } from '../../engine/pages/page-version.ts'
import { readArchivedPage } from '../../engine/pages/read-archived-page.ts'
import { findTextChanges, MAX_LINES, NO_CHANGES, type TextChanges } from '../../engine/pages/text-changes.ts'
import type { PageVersion } from '../../ports/pages.ts'
import { formatBytes, groupDigits, pluralize, sanitizeText, truncate } from '../format/units.ts'
import type { Command } from '../io.ts'
import { requireUrl } from '../required-arguments.ts'
import { withReadSession } from '../with-read-session.ts'
import { requireVersions } from './page.ts'

const MAX_SHOWN = 60
const MAX_WIDTH = 200

export const history: Command = {
  usage: '<url>',
  help: 'List the archived versions of a page and the changes in its text.',
  maxArguments: 1,
  settings: ['data', 'store', 'config', 'healthSecret', 'json'],
  async run(config, args, io) {
    const url = requireUrl(args, 'history', io)
    return withReadSession(config, io, async (readSession) => {
      const versions = await requireVersions(readSession.pages, url)
      let previous: PageVersion | null = null
      for (const version of versions) {
        const changes =
          previous === null
            ? NO_CHANGES
            : await findTextChanges(previous, version, (page) => readArchivedPage(page, readSession))
        if (config.json) io.stdout.write(jsonLine({ ...toVersionJson(version), ...changesJson(changes) }))
        else io.stdout.write(`${[versionLine(version, previous), ...changeLines(changes)].join('\n')}\n`)
        previous = version
      }
      return 0
    })
  },
}

function versionLine(version: PageVersion, previous: PageVersion | null): string {
  const oldest = version.version === 1 ? 'first version' : 'oldest archived'
  const what = previous === null ? oldest : isUnchanged(previous, version) ? 'unchanged' : 'changed'
  const time = new Date(version.visitedAt).toISOString().slice(0, 19).replace('T', ' ')
  const target = version.redirectTo === null ? '' : `  to ${version.redirectTo}`
  return sanitizeText(
    `${version.version}  ${time}  ${version.httpStatus ?? '-'}  ${formatBytes(version.wireBytes)}  ${what}${target}`,
  )
}

function changeLines({ lines, isCut, problem }: TextChanges): string[] {
  const shown = lines.slice(0, MAX_SHOWN).map((line) => truncate(sanitizeText(line), MAX_WIDTH))
  const hidden = lines.length - shown.length
  if (hidden > 0) shown.push(`and ${pluralize(hidden, 'more line')}; --json prints all of them`)
  if (isCut) shown.push(`compared only the first ${groupDigits(MAX_LINES)} lines of each version`)
  if (problem !== null) shown.push(`no text to compare: ${sanitizeText(problem)}`)
  return shown.map((line) => `   ${line}`)
}

function changesJson({ lines, isCut, problem }: TextChanges): object {
  return { text_changes: lines, text_changes_cut: isCut, text_changes_problem: problem }
}

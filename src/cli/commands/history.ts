import { compareVersions, PLAIN_COMPARISON } from '../../changes/compare-versions.ts'
import { MAX_LINES } from '../../changes/main-text.ts'
import { jsonLine } from '../../engine/export/jsonl.ts'
import { hasSameContent, isUnchanged, toVersionJson } from '../../engine/pages/page-version.ts'
import type { PageVersion } from '../../ports/pages.ts'
import { PROBLEM_TEXTS } from '../format/diff-output.ts'
import { formatBytes, groupDigits, pluralize, sanitizeText, truncate } from '../format/units.ts'
import type { Command, ReadSession } from '../io.ts'
import { requireUrl } from '../required-arguments.ts'
import { withReadSession } from '../with-read-session.ts'
import { requireVersions } from './page.ts'

const MAX_SHOWN = 60
const MAX_WIDTH = 200

export const history: Command = {
  usage: '<url>',
  help: 'List the archived versions of a page and the changes in its text.',
  maxArguments: 1,
  settings: ['data', 'store', 'config', 'archiveStore', 'healthSecret', 'json'],
  async run(config, args, io) {
    const url = requireUrl(args, 'history', io)
    return withReadSession(config, io, async (readSession) => {
      const versions = await requireVersions(readSession.pages, url)
      let previous: PageVersion | null = null
      for (const version of versions) {
        const changes = previous === null ? NO_CHANGES : await findTextChanges(previous, version, readSession)
        if (config.json) io.stdout.write(jsonLine({ ...toVersionJson(version), ...changesJson(changes) }))
        else io.stdout.write(`${[versionLine(version, previous), ...changeLines(changes)].join('\n')}\n`)
        previous = version
      }
      return 0
    })
  },
}

interface TextChanges {
  /** Removed (-) and added (+) lines of the main text, in order. */
  lines: string[]
  /** Only the starts were compared. */
  isCut: boolean
  /** Why there is nothing to compare. */
  problem: string | null
}

const NO_CHANGES: TextChanges = { lines: [], isCut: false, problem: null }

async function findTextChanges(before: PageVersion, after: PageVersion, session: ReadSession): Promise<TextChanges> {
  if (hasSameContent(before, after)) return NO_CHANGES
  const missing = [before, after].find(({ isArchived }) => !isArchived)
  if (missing !== undefined) {
    const problem = `version ${missing.version} is not archived, because it was a near-duplicate of another page`
    return { ...NO_CHANGES, problem }
  }
  const compared = await compareVersions(before, after, PLAIN_COMPARISON, session)
  if (!('comparison' in compared))
    return { ...NO_CHANGES, problem: PROBLEM_TEXTS['isAway' in compared ? 'away' : compared.problem] }
  const { lines, isCut } = compared.comparison
  const changed = lines.filter(({ kind }) => kind !== 'same')
  return { lines: changed.map(({ kind, text }) => `${kind === 'added' ? '+' : '-'} ${text}`), isCut, problem: null }
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

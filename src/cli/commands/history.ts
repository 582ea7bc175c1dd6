import type { ClientResponse } from '../../api/client.ts'
import { MAX_LINES } from '../../changes/main-text.ts'
import { STORE_OR_SERVER } from '../../config/command-settings.ts'
import { jsonLine } from '../../engine/export/jsonl.ts'
import { changedLines, PROBLEM_TEXTS } from '../format/diff-output.ts'
import { formatBytes, groupDigits, sanitizeText } from '../format/units.ts'
import type { Command } from '../io.ts'
import { type ReadClient, withReadClient } from '../read-client/read-client.ts'
import { requireUrl } from '../required-arguments.ts'
import { type PageDetails, requireVersions } from './page.ts'

export const history: Command = {
  usage: '<url>',
  help: 'List the archived versions of a page and what changed.',
  maxArguments: 1,
  settings: [...STORE_OR_SERVER, 'archiveStore', 'healthSecret', 'json'],
  async run(config, args, io) {
    const url = requireUrl(args, 'history', io)
    return withReadClient(config, io, async (client) => {
      let previous: PageDetails | null = null
      for (const version of await requireVersions(client, url)) {
        const changes = previous === null ? NO_CHANGES : await findTextChanges(previous, version, client)
        if (config.json) io.stdout.write(jsonLine({ ...versionJson(version), ...changesJson(changes) }))
        else io.stdout.write(`${[versionLine(version, previous), ...changeLines(changes)].join('\n')}\n`)
        previous = version
      }
      return 0
    })
  },
}

function versionJson({ page_id, ...version }: PageDetails): object {
  return { id: page_id, ...version }
}

interface TextChanges {
  diff: ClientResponse<'diffPages'>['diff']
  /** Why there is nothing to compare. */
  problem: string | null
}

const NO_CHANGES: TextChanges = { diff: null, problem: null }

async function findTextChanges(
  before: PageDetails,
  after: PageDetails,
  client: Pick<ReadClient, 'diffPages'>,
): Promise<TextChanges> {
  if (hasSameContent(before, after)) return NO_CHANGES
  const missing = [before, after].find(({ is_kept }) => !is_kept)
  if (missing !== undefined) {
    const problem = `version ${missing.version} is not archived, because it was a near-duplicate of another page`
    return { ...NO_CHANGES, problem }
  }
  const request = { params: { page_id: after.page_id }, query: { before: before.page_id } }
  const { diff, problem } = await client.diffPages(request)
  return { diff, problem: problem === null ? null : PROBLEM_TEXTS[problem] }
}

/** Only responses with status 200 have a content hash; others are compared by payload. */
function hasSameContent(one: PageDetails, other: PageDetails): boolean {
  const contentOf = ({ content_hash, payload_digest }: PageDetails) => content_hash ?? payload_digest
  return contentOf(one) === contentOf(other)
}

export function isUnchanged(before: PageDetails, after: PageDetails): boolean {
  const isSameAnswer = before.http_status === after.http_status && before.redirect_to === after.redirect_to
  return isSameAnswer && hasSameContent(before, after)
}

function versionLine(version: PageDetails, previous: PageDetails | null): string {
  const oldest = version.version === 1 ? 'first version' : 'oldest archived'
  const what = previous === null ? oldest : isUnchanged(previous, version) ? 'unchanged' : 'changed'
  const time = version.visited_at.slice(0, 19).replace('T', ' ')
  const target = version.redirect_to === null ? '' : `  to ${version.redirect_to}`
  return sanitizeText(
    `${version.version}  ${time}  ${version.http_status ?? '-'}  ${formatBytes(version.wire_bytes)}  ${what}${target}`,
  )
}

function changeLines({ diff, problem }: TextChanges): string[] {
  const shown = diff === null ? [] : changedLines(diff, () => true, false)
  if (diff?.is_cut) shown.push(`   compared only the first ${groupDigits(MAX_LINES)} lines of each version`)
  if (problem !== null) shown.push(`   no text to compare: ${sanitizeText(problem)}`)
  return shown
}

function changesJson({ diff, problem }: TextChanges): object {
  const lines = diff?.hunks.flatMap((hunk) => hunk.lines).filter(({ kind }) => kind !== 'same') ?? []
  return {
    text_changes: lines.map(({ kind, text }) => `${kind === 'added' ? '+' : '-'} ${text}`),
    text_changes_cut: diff?.is_cut ?? false,
    text_changes_problem: problem,
  }
}

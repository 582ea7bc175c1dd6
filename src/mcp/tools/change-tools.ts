import type { McpServer } from '@modelcontextprotocol/server'
import { z } from 'zod'
import type { ClientResponse } from '../../api/client.ts'
import { CHANGE_KINDS } from '../../ports/changes.ts'
import type { McpAccess } from '../mcp-client.ts'
import { quoteWeb, textResult, withErrors } from '../tool-result.ts'
import { READ_ONLY } from './search-tools.ts'

/** Lines of a difference. */
const MAX_LINES = 400

export function addChangeTools(server: McpServer, { client }: McpAccess): void {
  server.registerTool(
    'list_changes',
    {
      title: 'List changes',
      description:
        'Pages that were added, changed, removed, returned or redirected, newest first. Show what changed in the text with read_change.',
      inputSchema: z.object({
        crawl_id: z.string().max(64).optional(),
        url: z.string().max(4096).optional(),
        kind: z.array(z.enum(CHANGE_KINDS)).optional(),
        since: z.iso.datetime().optional().describe('Seen at or after this time, such as 2026-01-31T00:00:00Z.'),
        min_words: z.number().int().min(0).optional().describe('Minimum number of words added and removed.'),
        limit: z.number().int().min(1).max(100).default(20),
        cursor: z.string().max(500).optional().describe('next_cursor of the last result.'),
      }),
      annotations: READ_ONLY,
    },
    (args) =>
      withErrors(async () => {
        const { items, next_cursor } = await client.listChanges({ query: args })
        const lines = items.map(
          ({ change_id, kind, url, at, summary, page_id }) =>
            `change_id ${change_id}: ${kind} ${url} at ${at}${page_id === null ? '' : `, page_id ${page_id}`}. ${summary}`,
        )
        const next = next_cursor === null ? '' : `\n\nnext_cursor: ${next_cursor}`
        return textResult(lines.length === 0 ? 'No changes.' : `${quoteWeb(lines.join('\n'), 'changes')}${next}`)
      }),
  )
  server.registerTool(
    'read_change',
    {
      title: 'Read a change',
      description: 'What changed in the text of a page: removed lines begin with -, added lines with +.',
      inputSchema: z.object({ change_id: z.number().int().min(1) }),
      annotations: READ_ONLY,
    },
    ({ change_id }) =>
      withErrors(async () => {
        const change = await client.getChange({ params: { change_id } })
        return textResult(
          quoteWeb(`${change.kind} ${change.url}\n${change.summary}\n\n${diffText(change)}`, change.url),
        )
      }),
  )
}

const MARKS = { same: ' ', removed: '-', added: '+' } as const

function diffText({ diff, problem }: ClientResponse<'getChange'>): string {
  if (diff === null) return `The text cannot be compared (${problem?.replaceAll('_', ' ') ?? 'unknown'}).`
  const lines = diff.hunks.flatMap((hunk) => hunk.lines.map(({ kind, text }) => `${MARKS[kind]} ${text}`))
  const rest = lines.length > MAX_LINES ? [`(${lines.length - MAX_LINES} more lines)`] : []
  return [...lines.slice(0, MAX_LINES), ...rest].join('\n')
}

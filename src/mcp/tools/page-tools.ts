import type { McpServer } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { AppError } from '../../lib/errors.ts'
import type { McpAccess, McpClient } from '../mcp-client.ts'
import { readPassages } from '../read-passages.ts'
import { quoteWeb, textResult, withErrors } from '../tool-result.ts'
import { READ_ONLY } from './search-tools.ts'

export function addPageTools(server: McpServer, access: McpAccess): void {
  const { client } = access
  server.registerTool(
    'read_page',
    {
      title: 'Read a page',
      description:
        'Main content of an archived page as Markdown, in numbered passages. Name the page by URL or page id. Long pages come in parts: continue with the start that the result names.',
      inputSchema: z.object({
        url: z.string().max(4096).optional(),
        page_id: z.number().int().min(1).optional().describe('From search_pages or list_changes.'),
        version: z.number().int().min(1).optional().describe('With url: an older version. Default: the newest.'),
        start: z.number().int().min(1).default(1).describe('First passage.'),
        max_chars: z.number().int().min(500).max(100_000).default(10_000),
      }),
      annotations: READ_ONLY,
    },
    ({ url, page_id, version, start, max_chars }) =>
      withErrors(async () => {
        const pageId = page_id ?? (await findVersion(client, url, version))
        return textResult(await readPassages(client, { pageId, start, maxCharacters: max_chars }))
      }),
  )
  server.registerTool(
    'list_versions',
    {
      title: 'List versions of a page',
      description: 'All archived versions of a URL, oldest first, with their page ids, times and status codes.',
      inputSchema: z.object({ url: z.string().min(1).max(4096) }),
      annotations: READ_ONLY,
    },
    ({ url }) =>
      withErrors(async () => {
        const { items } = await client.findPages({ query: { url } })
        const lines = items.map(
          ({ version, page_id, visited_at, http_status, title }) =>
            `version ${version}: page_id ${page_id}, ${visited_at}, status ${http_status}, ${title ?? 'no title'}`,
        )
        return textResult(
          lines.length === 0 ? 'The archive has no version of this URL.' : quoteWeb(lines.join('\n'), url),
        )
      }),
  )
}

async function findVersion(
  client: Pick<McpClient, 'findPages'>,
  url: string | undefined,
  version: number | undefined,
): Promise<number> {
  if (url === undefined) throw new AppError('BAD_REQUEST', 'Name the page by URL or page id.')
  const { items } = await client.findPages({ query: { url } })
  const archived = items.filter(({ is_kept }) => is_kept)
  const found = version === undefined ? archived.at(-1) : archived.find((item) => item.version === version)
  if (found !== undefined) return found.page_id
  const what = version === undefined ? 'The archive has no page' : `The archive has no version ${version} of`
  throw new AppError('PAGE_NOT_FOUND', `${what} ${url}. Find pages with search_pages.`)
}

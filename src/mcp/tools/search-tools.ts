import type { McpServer } from '@modelcontextprotocol/server'
import { z } from 'zod'
import type { McpAccess } from '../mcp-client.ts'
import { quoteWeb, textResult, withErrors } from '../tool-result.ts'

const READ_ONLY = { readOnlyHint: true, openWorldHint: false } as const

export function addSearchTool(server: McpServer, { client }: McpAccess): void {
  server.registerTool(
    'search_pages',
    {
      title: 'Search pages',
      description:
        'Full-text search over crawled pages. Supports "phrases", OR, -word, prefix*, site:example.com, title:word, lang:en, before:2026-01-01. Returns titles, URLs, page ids and snippets; read the text with read_page.',
      inputSchema: z.object({
        query: z.string().min(1).max(1000),
        limit: z.number().int().min(1).max(50).default(10),
        crawl_id: z.string().max(64).optional().describe('Only pages of this crawl.'),
        sort: z.enum(['relevance', 'fresh', 'newest']).default('relevance'),
        cursor: z.string().max(500).optional().describe('next_cursor of the last result.'),
      }),
      annotations: READ_ONLY,
    },
    ({ query, limit, crawl_id, sort, cursor }) =>
      withErrors(async () => {
        const found = await client.search({
          query: {
            q: query,
            limit,
            sort,
            ...(crawl_id === undefined ? {} : { crawl: crawl_id }),
            ...(cursor === undefined ? {} : { cursor }),
          },
        })
        const about = [
          `${found.total_is_exact ? '' : 'About '}${found.total} results`,
          ...(found.note === null ? [] : [found.note]),
          ...(found.did_you_mean === null ? [] : [`Did you mean: ${found.did_you_mean}`]),
          ...(found.next_cursor === null ? [] : [`next_cursor: ${found.next_cursor}`]),
        ]
        const hits = found.results.map(
          ({ title, url, page_id, visited_at, snippet }, i) =>
            `${i + 1}. ${title}\n   ${url}\n   page_id ${page_id}, visited ${visited_at}\n   ${snippet.replace(/\s+/g, ' ')}`,
        )
        const results = hits.length === 0 ? [] : [quoteWeb(hits.join('\n'), 'search results')]
        return textResult([about.join('\n'), ...results].join('\n\n'))
      }),
  )
}

export { READ_ONLY }

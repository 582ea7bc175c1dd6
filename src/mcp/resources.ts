// What clients can attach without a tool: archived pages and crawls.

import { type McpServer, ResourceTemplate } from '@modelcontextprotocol/server'
import type { McpAccess } from './mcp-client.ts'
import { readPassages } from './read-passages.ts'

const LISTED_CRAWLS = 50
/** Characters of a page. The tool read_page continues. */
const MAX_CHARACTERS = 200_000

export function addResources(server: McpServer, { client }: McpAccess): void {
  server.registerResource(
    'page',
    new ResourceTemplate('orbweaver://pages/{page_id}', { list: undefined }),
    {
      title: 'Archived page',
      description: 'Main content of an archived page as Markdown. It is data from the web.',
      mimeType: 'text/markdown',
    },
    async (uri, { page_id }) => {
      const request = { pageId: Number(page_id), start: 1, maxCharacters: MAX_CHARACTERS }
      return { contents: [{ uri: uri.href, mimeType: 'text/markdown', text: await readPassages(client, request) }] }
    },
  )
  server.registerResource(
    'crawl',
    new ResourceTemplate('orbweaver://crawls/{crawl_id}', {
      async list() {
        const { items } = await client.listCrawls({ query: { limit: LISTED_CRAWLS } })
        return {
          resources: items.map(({ crawl_id, root_url, status, pages }) => ({
            uri: `orbweaver://crawls/${crawl_id}`,
            name: root_url,
            description: `${status}, ${pages} pages`,
            mimeType: 'application/json',
          })),
        }
      },
    }),
    { title: 'Crawl', description: 'State, counts and settings of a crawl.', mimeType: 'application/json' },
    async (uri, { crawl_id }) => {
      const crawl = await client.getCrawl({ params: { crawl_id: String(crawl_id) } })
      return { contents: [{ uri: uri.href, mimeType: 'application/json', text: JSON.stringify(crawl, null, 2) }] }
    },
  )
}

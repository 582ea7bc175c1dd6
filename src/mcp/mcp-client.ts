// The routes of the API that MCP tools call. The provider of these routes decides what a client may do: the scope of
// its token over HTTP, flags on standard input and output.

import type { Client } from '../api/client.ts'
import type { RouteName } from '../api/contract/paths.ts'

export const MCP_ROUTES = [
  'search',
  'findPages',
  'getPage',
  'getPageChunks',
  'listChanges',
  'getChange',
  'explainUrl',
  'listCrawls',
  'getCrawl',
  'createCrawl',
  'cancelCrawl',
] as const satisfies RouteName[]

export type McpClient = Pick<Client, (typeof MCP_ROUTES)[number]>

export interface McpAccess {
  client: McpClient
  /** Whether tools that start and cancel crawls are offered. */
  mayCrawl: boolean
  /** Pages of a crawl at most. */
  maxPages: number
  /** Called before a call waits for a crawl; throws if too many do. The returned function ends it. */
  beginWait(): () => void
}

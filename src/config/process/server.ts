// Settings of a server: its roles, where it listens, and what clients may do.

import { httpUrl } from '../address-kinds.ts'
import { optional, setting } from '../setting.ts'
import { byteSize, hexColor, listOf, onOff, positiveNumber, subsetOf, text, wholeNumber } from '../setting-kinds.ts'
import { timeSpan } from '../time-kinds.ts'

/** Roles of a process. */
const ROLES = ['api', 'worker', 'maintenance', 'indexer'] as const
export type Role = (typeof ROLES)[number]

const DAY_MS = 86_400_000
const GIB = 1024 ** 3

export const SERVER_SETTINGS = {
  roles: setting(
    subsetOf(ROLES),
    [...ROLES],
    'What the process does: serve the API, crawl, maintain the fleet, index pages.',
  ),
  host: setting(
    text('ADDRESS'),
    '127.0.0.1',
    'Address the API and the web app listen on. An address that others can reach requires a token first.',
  ),
  port: setting(wholeNumber(0, 65_535), 8080, 'Port of the API and the web app; 0: any free port.'),
  publicUrl: optional(httpUrl(), 'URL of the server as users see it, if it is behind a proxy.'),
  requireToken: setting(onOff(), false, 'Require a token even for requests from this machine.'),
  apiRate: setting(
    positiveNumber(1e6),
    200,
    'API requests per second allowed per token or address, in each API process.',
  ),
  publicSearch: setting(
    listOf(text('CRAWL')),
    [],
    'Serve a public search page at /search, without a token, over the pages of this crawl (an id or its first characters) or of "all" crawls; repeatable. Archived copies of these pages are shown too.',
  ),
  publicSearchRate: setting(
    positiveNumber(1e6),
    10,
    'Requests per second to the search page allowed per address. Behind a proxy, all readers have one address.',
  ),
  searchTitle: setting(text('TEXT'), 'Search', 'Name of the search page.'),
  searchColor: setting(
    hexColor(),
    '#2457c5',
    'Colour of links and buttons of the search page. Adjusted until it is readable.',
  ),
  tokenSockets: setting(
    wholeNumber(1, 1000),
    100,
    'Maximum open WebSockets and event streams per token, or per address without a token, in each API process.',
  ),
  tokenMinDelay: optional(wholeNumber(0, DAY_MS, 'MS'), 'Minimum --delay that a token with crawl scope may request.'),
  tokenMaxConcurrency: optional(
    wholeNumber(1, 10_000),
    'Maximum --concurrency that a token with crawl scope may request.',
  ),
  tokenMaxPerHost: optional(wholeNumber(1, 1000), 'Maximum --per-host that a token with crawl scope may request.'),
  tokenMaxBody: optional(byteSize(1, GIB), 'Maximum --max-body that a token with crawl scope may request.'),
  expires: optional(timeSpan(), 'Lifetime of a new token, such as 12h, 30d or 1y; unlimited if omitted.'),
  server: optional(httpUrl(), 'Use a running server instead of opening the store.'),
  token: optional(text('TOKEN'), 'Token for --server.'),
  allowCrawl: setting(onOff(), false, 'Let MCP clients start and cancel crawls.'),
  mcpMaxPages: setting(wholeNumber(1, 1e9), 1000, 'Maximum pages of a crawl that an MCP client starts.'),
} as const

// Serves MCP over streamable HTTP at /mcp, with the tokens, scopes and limits of the API. The SDK is imported with the
// first request, so that servers without MCP clients do not load it.

import type { Hono } from 'hono'
import { includesScope } from '../api/auth/request-guard.ts'
import type { StreamLimiter } from '../api/auth/stream-limiter.ts'
import type { ApiDependencies, Handlers } from '../api/handlers.ts'
import { type ApiEnv, createCaller, requireAccess } from '../api/http/request-context.ts'
import { createLocalClient } from '../api/local-client.ts'
import { MCP_ROUTES } from './mcp-client.ts'

const MCP_PATH = '/mcp'
const READ_ACCESS = { scope: 'read', isOpen: false } as const
/** Requests are arguments of tools. */
const MAX_REQUEST_BYTES = 256 * 1024

export interface McpMountDependencies extends Pick<ApiDependencies, 'guard' | 'clock' | 'log' | 'version' | 'config'> {
  handlers: Handlers
  /** Calls that wait for a crawl count like event streams. */
  streams: Pick<StreamLimiter, 'acquire'>
}

export function mountMcp(app: Hono<ApiEnv>, dependencies: McpMountDependencies): void {
  const { guard, clock, log, version, config, handlers, streams } = dependencies
  app.all(MCP_PATH, requireAccess(guard, READ_ACCESS, MCP_PATH), async (c) => {
    const [{ createMcpHandler }, { createMcpServer }] = await Promise.all([
      import('@modelcontextprotocol/server'),
      import('./create-server.ts'),
    ])
    const caller = createCaller(c)
    const client = createLocalClient(pickRoutes(handlers), caller)
    const mayCrawl = caller.scope !== null && includesScope(caller.scope, 'crawl')
    const access = { client, mayCrawl, maxPages: config.mcpMaxPages, beginWait: () => streams.acquire(caller) }
    const handler = createMcpHandler(() => createMcpServer(access, { version, clock }), {
      maxRequestBodySize: MAX_REQUEST_BYTES,
      onerror: ({ message }) => log.debug('MCP request failed', { request_id: caller.requestId, why: message }),
    })
    return handler.fetch(c.req.raw)
  })
}

function pickRoutes(handlers: Handlers): Pick<Handlers, (typeof MCP_ROUTES)[number]> {
  const picked = MCP_ROUTES.map((name) => [name, handlers[name]])
  return Object.fromEntries(picked) as Pick<Handlers, (typeof MCP_ROUTES)[number]>
}

// `orbweaver mcp`: serves MCP on standard input and output, from a running server or from the store.

import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import { createClient } from '../api/client.ts'
import type { Config } from '../config/schema.ts'
import { systemClock } from '../lib/clock.ts'
import { createMcpServer } from '../mcp/create-server.ts'
import { type McpSession, openMcpSession } from './mcp-session.ts'

export interface McpProcess {
  version: string
  onInterrupt: (callback: () => void) => () => void
}

/** Returns when the client closes its end, or on an interrupt. */
export async function serveMcp(config: Config, { version, onInterrupt }: McpProcess): Promise<void> {
  const session =
    config.server === null ? await openMcpSession(config, version) : serverSession(config.server, config.token)
  const access = {
    client: session.client,
    mayCrawl: config.allowCrawl,
    maxPages: config.mcpMaxPages,
    // There is only one client.
    beginWait: () => () => undefined,
  }
  const transport = new StdioServerTransport()
  const handle = serveStdio(() => createMcpServer(access, { version, clock: systemClock }), { transport })
  try {
    await new Promise<void>((resolve) => {
      const removeHandler = onInterrupt(() => resolve())
      process.stdin.once('close', () => resolve())
      process.stdin.once('end', () => {
        removeHandler()
        resolve()
      })
    })
  } finally {
    await handle.close()
    await session.close()
  }
}

/** The token decides what the client may do. */
function serverSession(baseUrl: string, token: string | null): McpSession {
  return { client: createClient({ baseUrl, token }), close: async () => undefined }
}

// The routes of tokens for the command line and the library: of a server, or on a store that this process opens.

import type { Client } from '../api/client.ts'
import { createLocalClient } from '../api/local-client.ts'
import { renameFields, withoutPart } from '../api/requests/request-error.ts'
import { type TokenRoute, tokenHandlers } from '../api/routes/tokens.ts'
import type { Config } from '../config/schema.ts'
import { systemClock } from '../lib/clock.ts'
import type { ControlSession } from './io.ts'
import { callServer, createServerClient } from './remote-server.ts'
import { withControlSession } from './with-control-session.ts'

export type TokenClient = Pick<Client, TokenRoute>

export async function withTokenClient<T>(
  config: Config,
  open: () => Promise<ControlSession>,
  run: (client: TokenClient) => Promise<T>,
): Promise<T> {
  const client = createServerClient(config)
  if (client !== null) return callServer(client, run)
  return withControlSession(open(), ({ tokens }) => {
    const cache = { invalidate: () => undefined }
    const handlers = tokenHandlers({ access: { tokens }, tokens: cache, clock: systemClock })
    return run(createLocalClient(handlers)).catch((error: unknown) => {
      throw renameFields(error, withoutPart)
    })
  })
}

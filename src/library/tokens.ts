// The API tokens of a store, which servers with --require-token ask for.

import type { ClientResponse } from '../api/client.ts'
import type { TokenClient } from '../cli/token-client.ts'
import type { Config } from '../config/schema.ts'
import { isoTimeOrNull } from '../lib/iso-time.ts'
import type { TokenScope } from '../ports/access.ts'
import { openers } from '../setup/openers.ts'
import { dateOrNull } from './date-or-null.ts'
import { withFieldNames } from './field-names.ts'
import { parseOption } from './options.ts'

export interface NewToken {
  name: string
  /** The scopes are read, crawl and admin; each includes the previous ones. */
  scope: TokenScope
  /** Lifetime, such as '30d'; by default unlimited. */
  expires?: string | number
}

export interface ApiToken {
  tokenId: string
  name: string
  scope: TokenScope
  createdAt: Date
  lastUsedAt: Date | null
  /** Null if the token never expires. */
  expiresAt: Date | null
}

export interface TokenControl {
  list(): Promise<ApiToken[]>
  /** The token itself cannot be read again: the store has only its hash. */
  create(token: NewToken): Promise<ApiToken & { token: string }>
  /** Servers refuse it within a second. */
  revoke(tokenId: string): Promise<void>
}

export function makeTokenControl(config: Config): TokenControl {
  const open = async <T>(use: (client: TokenClient) => Promise<T>): Promise<T> => {
    const { withTokenClient } = await import('../cli/token-client.ts')
    return withFieldNames(() => withTokenClient(config, () => openers.openControlSession(config, false), use))
  }
  return {
    list: () => open(async (client) => (await client.listTokens()).items.map(toToken)),
    async create({ expires, ...body }) {
      const lifetimeMs = parseOption('expires', expires)
      const expiresAt = isoTimeOrNull(lifetimeMs === null ? null : Date.now() + lifetimeMs)
      const created = await open((client) => client.createToken({ body: { ...body, expires_at: expiresAt } }))
      return { ...toToken(created), token: created.token }
    },
    revoke: (tokenId) => open((client) => client.revokeToken({ params: { token_id: tokenId } })),
  }
}

function toToken(row: ClientResponse<'listTokens'>['items'][number]): ApiToken {
  return {
    tokenId: row.token_id,
    name: row.name,
    scope: row.scope,
    createdAt: new Date(row.created_at),
    lastUsedAt: dateOrNull(row.last_used_at),
    expiresAt: dateOrNull(row.expires_at),
  }
}

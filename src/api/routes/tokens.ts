// Handlers for tokens, of a server and of commands that open the store themselves. A token is shown only once.

import type { Clock } from '../../lib/clock.ts'
import { AppError } from '../../lib/errors.ts'
import type { Access } from '../../ports/access.ts'
import { makeToken, type TokenCache } from '../auth/tokens.ts'
import type { HandlersFor } from '../handlers.ts'
import { invalidFieldsError } from '../requests/request-error.ts'
import { tokenJson } from '../views/token-json.ts'

export type TokenRoute = 'listTokens' | 'createToken' | 'revokeToken'

export interface TokenDependencies {
  access: Pick<Access, 'tokens'>
  /** Caches them; told of every change. */
  tokens: Pick<TokenCache, 'invalidate'>
  clock: Clock
}

export function tokenHandlers({
  access: { tokens },
  tokens: tokenCache,
  clock,
}: TokenDependencies): HandlersFor<TokenRoute> {
  return {
    async listTokens() {
      const rows = await tokens.list()
      return { items: rows.map(tokenJson), next_cursor: null, total: rows.length }
    },
    async createToken({ body }) {
      const { name, scope, expires_at: expires = null } = body
      const expiresAt = expires === null ? null : Date.parse(expires)
      if (expiresAt !== null && expiresAt <= clock.now()) {
        const message = 'Must be in the future.'
        throw invalidFieldsError('BAD_REQUEST', [{ field: 'body.expires_at', message }])
      }
      const { token, row } = makeToken({ name, scope, expiresAt }, clock.now())
      await tokens.add(row)
      tokenCache.invalidate()
      return { ...tokenJson({ ...row, lastUsedAt: null }), token }
    },
    async revokeToken({ params }) {
      const isRemoved = await tokens.remove(params.token_id)
      tokenCache.invalidate()
      if (!isRemoved) throw new AppError('TOKEN_NOT_FOUND', `There is no token with the id ${params.token_id}.`)
    },
  }
}

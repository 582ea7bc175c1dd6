import type { z } from 'zod'
import { isoTime, isoTimeOrNull } from '../../lib/iso-time.ts'
import type { TokenRow } from '../../ports/access.ts'
import type { Token } from '../contract/system.ts'

/** A token without its secret. */
export function tokenJson({ id, name, scope, createdAt, lastUsedAt, expiresAt }: TokenRow): z.output<typeof Token> {
  return {
    token_id: id,
    name,
    scope,
    created_at: isoTime(createdAt),
    last_used_at: isoTimeOrNull(lastUsedAt),
    expires_at: isoTimeOrNull(expiresAt),
  }
}

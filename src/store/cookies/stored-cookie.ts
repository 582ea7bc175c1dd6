import type { StoredCookie } from '../../ports/cookies.ts'

export function toStoredCookie(row: Record<string, unknown>): StoredCookie {
  const expiresAt = row['expires_at']
  return {
    domain: String(row['domain']),
    isHostOnly: Boolean(row['is_host_only']),
    path: String(row['path']),
    name: String(row['name']),
    value: String(row['value']),
    isSecure: Boolean(row['is_secure']),
    expiresAt: expiresAt === null ? null : Number(expiresAt),
    createdAt: Number(row['created_at']),
  }
}

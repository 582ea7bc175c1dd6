// Credentials that may be temporary.

import type { Credentials } from './sign-request.ts'

export type Environment = Readonly<Record<string, string | undefined>>

export interface ExpiringCredentials extends Credentials {
  /** Ms since 1970; null: never. */
  expiresAt: number | null
}

export class CredentialsError extends Error {
  override readonly name = 'CredentialsError'
}

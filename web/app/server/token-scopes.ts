// Token scopes, used to hide actions that the server would reject.

import type { RouteResponse } from '../../../src/api/contract/routes.ts'

export type TokenScope = NonNullable<RouteResponse<'about'>['scope']>

/** Each scope includes the ones before it. */
export const TOKEN_SCOPES = ['read', 'crawl', 'admin'] as const satisfies readonly TokenScope[]

/** True while the scope is unknown or no user is signed in: every action is shown, and the server asks for a token. */
export function includesScope(has: TokenScope | null | undefined, wanted: TokenScope): boolean {
  return has === null || has === undefined || TOKEN_SCOPES.indexOf(has) >= TOKEN_SCOPES.indexOf(wanted)
}

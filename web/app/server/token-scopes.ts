// What a token allows, as the interface has to know it: what would be refused is not offered.

import type { RouteResponse } from '../../../src/api/contract/routes.ts'

export type TokenScope = NonNullable<RouteResponse<'about'>['scope']>

/** Each includes those before it. */
export const TOKEN_SCOPES = ['read', 'crawl', 'admin'] as const satisfies readonly TokenScope[]

/** While it is not known, or nobody has signed in yet, everything is offered: the server asks for a token then. */
export function includesScope(has: TokenScope | null | undefined, wanted: TokenScope): boolean {
  return has === null || has === undefined || TOKEN_SCOPES.indexOf(has) >= TOKEN_SCOPES.indexOf(wanted)
}

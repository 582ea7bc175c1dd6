// What a token allows, as the interface has to know it: what would be refused is not offered.

import type { RouteAnswer } from '../../src/api/contract/routes.ts'

export type Scope = NonNullable<RouteAnswer<'about'>['scope']>

/** Each includes those before it. */
export const SCOPES = ['read', 'crawl', 'admin'] as const satisfies readonly Scope[]

/** While it is not known, or nobody has signed in yet, everything is offered: the server asks for a token then. */
export function isAllowed(has: Scope | null | undefined, wanted: Scope): boolean {
  return has === null || has === undefined || SCOPES.indexOf(has) >= SCOPES.indexOf(wanted)
}

// What travels with a request through the app.

import type { HttpBindings } from '@hono/node-server'
import type { Context, MiddlewareHandler } from 'hono'
import type { AuthResult, RequestGuard, RequiredAccess } from '../auth/request-guard.ts'
import type { RouteName } from '../contract/paths.ts'
import type { Route } from '../contract/route.ts'
import { ROUTES } from '../contract/routes.ts'
import type { Caller } from '../handlers.ts'

export interface ApiEnv {
  Bindings: HttpBindings
  Variables: {
    requestId: string
    /** Method and path of the route, for the log: no ids. */
    route: string
    pass: AuthResult
    caller: Caller
  }
}

export type ApiContext = Context<ApiEnv>

const SANE_ID = /^[\w.:-]{1,64}$/

/** Null: it gets one of ours. */
export function validRequestId(given: string | string[] | undefined): string | null {
  return typeof given === 'string' && SANE_ID.test(given) ? given : null
}

export function accessFor(name: RouteName): RequiredAccess {
  const { scope, isOpen }: Route = ROUTES[name]
  return { scope, isOpen: isOpen === true }
}

/** In front of a handler: lets only those through who may. `route` names it also in the log of those it turns away. */
export function requireAccess(
  requestGuard: RequestGuard,
  requiredAccess: RequiredAccess,
  route?: string,
): MiddlewareHandler<ApiEnv> {
  return async (c, next) => {
    if (route !== undefined) c.set('route', route)
    c.set('pass', await requestGuard.authorise(c.env.incoming, requiredAccess))
    await next()
  }
}

export function createCaller(c: ApiContext): Caller {
  const { signal } = c.req.raw
  const caller = {
    ...c.get('pass'),
    signal,
    requestId: c.get('requestId'),
    headers: new Headers(),
    continuesAfterResponse: false,
  }
  c.set('caller', caller)
  return caller
}

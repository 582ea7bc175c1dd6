// The context of a request in the app.

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
    /** Method and path pattern, for the log. */
    route: string
    auth: AuthResult
    caller: Caller
    /** The response is an archived page, or a part of one. */
    isReplay: boolean
  }
}

export type ApiContext = Context<ApiEnv>

const REQUEST_ID = /^[\w.:-]{1,64}$/

/** The client's request id, or null if it is missing or invalid. */
export function validRequestId(header: string | string[] | undefined): string | null {
  return typeof header === 'string' && REQUEST_ID.test(header) ? header : null
}

export function accessFor(name: RouteName): RequiredAccess {
  const { scope, isOpen }: Route = ROUTES[name]
  return { scope, isOpen: isOpen === true }
}

/** Middleware that authorizes a request. `route` is set first, so that the log names it for rejected requests too. */
export function requireAccess(
  requestGuard: RequestGuard,
  requiredAccess: RequiredAccess,
  route?: string,
): MiddlewareHandler<ApiEnv> {
  return async (c, next) => {
    if (route !== undefined) c.set('route', route)
    c.set('auth', await requestGuard.authorise(c.env.incoming, requiredAccess))
    await next()
  }
}

export function createCaller(c: ApiContext): Caller {
  const { signal } = c.req.raw
  const caller = {
    ...c.get('auth'),
    signal,
    requestId: c.get('requestId'),
    headers: new Headers(),
    continuesAfterResponse: false,
  }
  c.set('caller', caller)
  return caller
}

// What travels with a request through the app.

import type { HttpBindings } from '@hono/node-server'
import type { Context, MiddlewareHandler } from 'hono'
import type { Guard, Need, Pass } from './guard/guard.ts'
import type { Caller } from './handlers.ts'

export interface ApiEnv {
  Bindings: HttpBindings
  Variables: {
    requestId: string
    /** Method and path of the route, for the log: no ids. */
    route: string
    pass: Pass
  }
}

export type ApiContext = Context<ApiEnv>

/** In front of a handler: lets only those through who may. */
export function needs(guard: Guard, need: Need): MiddlewareHandler<ApiEnv> {
  return async (c, next) => {
    c.set('pass', await guard.authorise(c.env.incoming, need))
    await next()
  }
}

export function callerOf(c: ApiContext): Caller {
  const { signal } = c.req.raw
  return { ...c.get('pass'), signal, requestId: c.get('requestId'), headers: new Headers() }
}

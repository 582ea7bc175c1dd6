// A client that calls handlers in this process, for commands that open the store themselves. Requests are validated as
// on a server.

import { requireScope } from './auth/request-guard.ts'
import type { Client } from './client.ts'
import type { RouteName } from './contract/paths.ts'
import type { Route } from './contract/route.ts'
import { ROUTES } from './contract/routes.ts'
import type { Caller, HandlersFor } from './handlers.ts'
import { localCaller } from './local-caller.ts'
import { validateRequest } from './requests/validate-request.ts'

interface UntypedInput {
  params?: Record<string, unknown>
  query?: Record<string, unknown>
  body?: unknown
}

/**
 * Does not support routes that stream. By default the caller may do everything, since it has direct access to the
 * store.
 */
export function createLocalClient<N extends RouteName>(
  handlers: HandlersFor<N>,
  caller: Caller = localCaller(),
): Pick<Client, N> {
  const calls = Object.entries(handlers).map(([name, handler]) => {
    const route: Route = ROUTES[name as N]
    const run = handler as (input: unknown, caller: Caller) => Promise<unknown>
    return [
      name,
      async (input: UntypedInput = {}) => {
        requireScope(caller.scope, route.scope)
        return run(validateRequest(route, toRawRequest(input)), { ...caller, headers: new Headers() })
      },
    ]
  })
  return Object.fromEntries(calls) as Pick<Client, N>
}

function toRawRequest({ params = {}, query = {}, body }: UntypedInput) {
  const texts = (values: Record<string, unknown>) =>
    Object.entries(values).flatMap(([key, value]): [string, string][] => {
      const all: unknown[] = Array.isArray(value) ? value : [value]
      return all.flatMap((item) => (item === undefined || item === null ? [] : [[key, String(item)]]))
    })
  return { params: Object.fromEntries(texts(params)), query: new URLSearchParams(texts(query)), body }
}

// Mounts routes of another system's API: with the guard, validation and errors of the native API, but its own paths and
// field names. They are not part of the OpenAPI document.

import type { Hono } from 'hono'
import { z } from 'zod'
import type { RequestGuard } from '../api/auth/request-guard.ts'
import type { InputOf, Route, StreamedResponse } from '../api/contract/route.ts'
import type { Caller } from '../api/handlers.ts'
import { type ApiContext, type ApiEnv, createCaller, requireAccess } from '../api/http/request-context.ts'
import { jsonResponse, streamResponse } from '../api/http/responses.ts'
import { readJsonBody } from '../api/requests/json-body.ts'
import { validateRequest } from '../api/requests/validate-request.ts'
import { AppError } from '../lib/errors.ts'

type CompatRouteSpec = Omit<Route, 'summary' | 'response' | 'errors'>
type CompatInput<R extends CompatRouteSpec> = InputOf<R & Pick<Route, 'summary' | 'response'>>

export interface CompatRoute {
  methodAndPath: string
  spec: CompatRouteSpec
  respond(c: ApiContext): Promise<Response>
}

/** Converts an error, other than an internal one, to a response in the format of the other API. */
export type ErrorResponder = (error: AppError, requestId: string) => Response

/** A response that is not JSON. */
export class StreamResult {
  readonly stream: StreamedResponse

  constructor(stream: StreamedResponse) {
    this.stream = stream
  }
}

/** `methodAndPath` is, for example, "GET /crawl-runs/:id". */
export function defineRoute<const R extends CompatRouteSpec>(
  methodAndPath: string,
  spec: R,
  handle: (input: CompatInput<R>, caller: Caller) => Promise<object>,
): CompatRoute {
  const plainSpec: CompatRouteSpec = spec
  const route: Route = { ...plainSpec, summary: methodAndPath, response: z.unknown() }
  return {
    methodAndPath,
    spec,
    async respond(c) {
      const query = new URL(c.req.url).searchParams
      const input = validateRequest(route, { params: c.req.param(), query, body: await readJsonBody(c.req.raw) })
      const value = await handle(input as CompatInput<R>, createCaller(c))
      if (value instanceof StreamResult) return streamResponse(value.stream)
      return jsonResponse(value, plainSpec.status ?? 200, {
        method: c.req.method,
        ifNoneMatch: c.req.header('if-none-match') ?? null,
      })
    },
  }
}

export function mountCompatRoutes(
  app: Hono<ApiEnv>,
  requestGuard: RequestGuard,
  { routes, toErrorResponse }: { routes: CompatRoute[]; toErrorResponse: ErrorResponder | null },
): void {
  for (const { methodAndPath, spec, respond } of routes) {
    const [method = '', path = ''] = methodAndPath.split(' ')
    app.on(
      method,
      path,
      requireAccess(requestGuard, { scope: spec.scope, isOpen: spec.isOpen === true }, methodAndPath),
      async (c) => {
        try {
          return await respond(c)
        } catch (error) {
          const isConvertible = toErrorResponse !== null && error instanceof AppError && error.code !== 'INTERNAL'
          if (!isConvertible) throw error
          return toErrorResponse(error, c.get('requestId'))
        }
      },
    )
  }
}

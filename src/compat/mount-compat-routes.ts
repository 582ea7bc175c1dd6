// Routes of another system's API on ours: the same guard, schemas and errors, with its paths and field names. They are
// described in docs/reference/compatible-apis.md and not in the OpenAPI document, which is of the native API.

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

/** Answers an error that is no defect in the words of the dialect. */
export type ErrorResponder = (error: AppError, requestId: string) => Response

/** An answer that is no JSON. */
export class StreamResult {
  readonly stream: StreamedResponse

  constructor(stream: StreamedResponse) {
    this.stream = stream
  }
}

/** `at` is a method and a path, such as GET /crawl-runs/:id. */
export function defineRoute<const R extends CompatRouteSpec>(
  at: string,
  asked: R,
  handle: (compatInput: CompatInput<R>, caller: Caller) => Promise<object>,
): CompatRoute {
  const plain: CompatRouteSpec = asked
  const route: Route = { ...plain, summary: at, response: z.unknown() }
  return {
    methodAndPath: at,
    spec: asked,
    async respond(c) {
      const query = new URL(c.req.url).searchParams
      const given = validateRequest(route, { params: c.req.param(), query, body: await readJsonBody(c.req.raw) })
      const value = await handle(given as CompatInput<R>, createCaller(c))
      if (value instanceof StreamResult) return streamResponse(value.stream)
      return jsonResponse(value, plain.status ?? 200, {
        method: c.req.method,
        ifNoneMatch: c.req.header('if-none-match') ?? null,
      })
    },
  }
}

export function mountCompatRoutes(
  app: Hono<ApiEnv>,
  requestGuard: RequestGuard,
  { routes, tellError }: { routes: CompatRoute[]; tellError: ErrorResponder | null },
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
          const isTold = tellError !== null && error instanceof AppError && error.code !== 'INTERNAL'
          if (!isTold) throw error
          return tellError(error, c.get('requestId'))
        }
      },
    )
  }
}

// Routes of another system's API on ours: the same guard, schemas and errors, with its paths and field names. They are
// described in docs/dialects.md and not in the OpenAPI document, which is of the native API.

import type { Hono } from 'hono'
import { z } from 'zod'
import { AppError } from '../../lib/errors.ts'
import { jsonResponse, streamResponse } from '../answers/answer.ts'
import type { AnswerStream, Input, Route } from '../contract/route.ts'
import { type ApiContext, type ApiEnv, callerOf, needs } from '../env.ts'
import type { Guard } from '../guard/guard.ts'
import type { Caller } from '../handlers.ts'
import { readJson } from '../requests/body.ts'
import { validate } from '../requests/validate.ts'

type Asked = Omit<Route, 'summary' | 'answer' | 'errors'>
type Given<R extends Asked> = Input<R & Pick<Route, 'summary' | 'answer'>>

export interface DialectRoute {
  at: string
  asked: Asked
  answer(c: ApiContext): Promise<Response>
}

/** Answers an error that is no defect in the words of the dialect. */
export type TellError = (error: AppError, requestId: string) => Response

/** An answer that is no JSON. */
export class Stream {
  readonly stream: AnswerStream

  constructor(stream: AnswerStream) {
    this.stream = stream
  }
}

/** `at` is a method and a path, such as GET /crawl-runs/:id. */
export function on<const R extends Asked>(
  at: string,
  asked: R,
  handle: (given: Given<R>, caller: Caller) => Promise<object>,
): DialectRoute {
  const plain: Asked = asked
  const route: Route = { ...plain, summary: at, answer: z.unknown() }
  return {
    at,
    asked,
    async answer(c) {
      const query = new URL(c.req.url).searchParams
      const given = validate(route, { params: c.req.param(), query, body: await readJson(c.req.raw) })
      const value = await handle(given as Given<R>, callerOf(c))
      if (value instanceof Stream) return streamResponse(value.stream)
      return jsonResponse(value, plain.status ?? 200, {
        method: c.req.method,
        ifNoneMatch: c.req.header('if-none-match') ?? null,
      })
    },
  }
}

export function mountDialect(
  app: Hono<ApiEnv>,
  guard: Guard,
  { routes, tellError }: { routes: DialectRoute[]; tellError: TellError | null },
): void {
  for (const { at, asked, answer } of routes) {
    const [method = '', path = ''] = at.split(' ')
    app.on(method, path, needs(guard, { scope: asked.scope, isOpen: asked.isOpen === true }, at), async (c) => {
      try {
        return await answer(c)
      } catch (error) {
        const isTold = tellError !== null && error instanceof AppError && error.code !== 'INTERNAL'
        if (!isTold) throw error
        return tellError(error, c.get('requestId'))
      }
    })
  }
}

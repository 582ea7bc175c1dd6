// Error responses: problem+json (RFC 9457) with the stable codes of lib/errors.ts.

import { AppError, ERRORS, type ErrorCode } from '../../lib/errors.ts'
import { type FieldProblem, RequestError } from '../requests/request-error.ts'

export interface Problem {
  type: string
  title: string
  status: number
  code: ErrorCode
  detail: string
  request_id: string
  fields?: readonly FieldProblem[]
}

const INTERNAL_CODES: readonly ErrorCode[] = ['INTERNAL', 'STORE_FAILED']

export const PROBLEM_TYPE = 'application/problem+json'

export function toProblem(thrown: unknown, requestId: string): Problem {
  const code = thrown instanceof AppError ? thrown.code : 'INTERNAL'
  return {
    type: `/api/docs#${code.toLowerCase()}`,
    title: ERRORS[code].help,
    status: ERRORS[code].http,
    code,
    // Internal messages may contain anything, so they go only to the log, under this id.
    detail:
      thrown instanceof AppError && !INTERNAL_CODES.includes(code)
        ? thrown.message
        : `Internal server error. See the server log for the request id ${requestId}.`,
    request_id: requestId,
    ...(thrown instanceof RequestError && thrown.fields !== null ? { fields: thrown.fields } : {}),
  }
}

export function problemResponse(thrown: unknown, requestId: string): Response {
  const problem = toProblem(thrown, requestId)
  const headers = thrown instanceof RequestError ? thrown.headers : {}
  return new Response(JSON.stringify(problem), {
    status: problem.status,
    headers: { 'content-type': PROBLEM_TYPE, 'cache-control': 'no-store', ...headers },
  })
}

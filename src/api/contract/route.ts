// The definition of a route: request, response and required scope. The server, the OpenAPI document and the client are
// derived from it.

import type { z } from 'zod'
import type { ErrorCode } from '../../lib/errors.ts'
import { TOKEN_SCOPES, type TokenScope } from '../../ports/access.ts'

export const SCOPES = TOKEN_SCOPES
/** The scope of a token. Each scope includes the ones before it. */
export type Scope = TokenScope

/** The content types of a response that is not JSON; the first one is the default. */
export interface StreamContentTypes {
  stream: readonly string[]
}

export interface Route {
  summary: string
  scope: Scope
  /** Needs no token. */
  isOpen?: boolean
  params?: z.ZodObject
  query?: z.ZodObject
  body?: z.ZodType
  response: z.ZodType | StreamContentTypes | null
  /** Status of a successful response; 200 if omitted. */
  status?: 201 | 202 | 204
  /** The response may be 202, if the work continues afterwards. */
  mayContinueAfterResponse?: boolean
  errors?: readonly ErrorCode[]
}

export function route<const R extends Route>(route: R): R {
  return route
}

export function isSchema(response: Route['response']): response is z.ZodType {
  return response !== null && !('stream' in response)
}

type InputPart<R, K extends string> =
  R extends Record<K, infer Z extends z.ZodType> ? { [P in K]: z.output<Z> } : unknown
type RequestPart<R, K extends string> =
  R extends Record<K, infer Z extends z.ZodType> ? { [P in K]: z.input<Z> } : unknown

/** The input of a handler, with defaults filled in. */
export type InputOf<R extends Route> = InputPart<R, 'params'> & InputPart<R, 'query'> & InputPart<R, 'body'>
/** The input as sent by a client. */
export type RequestOf<R extends Route> = RequestPart<R, 'params'> & RequestPart<R, 'query'> & RequestPart<R, 'body'>
export type ResponseOf<R extends Route> = R['response'] extends z.ZodType
  ? z.output<R['response']>
  : R['response'] extends null
    ? undefined
    : StreamedResponse

export interface StreamedResponse {
  type: string
  /** Offered as a download under this name. */
  filename: string | null
  headers?: Record<string, string>
  status?: number
  body: string | Uint8Array | AsyncIterable<string | Uint8Array>
}

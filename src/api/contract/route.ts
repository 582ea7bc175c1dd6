// A route as both sides know it: what it takes, what it answers and who may call it. Server, OpenAPI document and client
// are made from these.

import type { z } from 'zod'
import type { ErrorCode } from '../../lib/errors.ts'
import { TOKEN_SCOPES, type TokenScope } from '../../ports/access.ts'

export const SCOPES = TOKEN_SCOPES
/** What a token allows. Each includes those before it. */
export type Scope = TokenScope

/** An answer that is no JSON: its types, the first one when nothing is asked for. */
export interface StreamContentTypes {
  stream: readonly string[]
}

export interface Route {
  summary: string
  scope: Scope
  /** Anybody may call it, without a token. */
  isOpen?: boolean
  params?: z.ZodObject
  query?: z.ZodObject
  body?: z.ZodType
  response: z.ZodType | StreamContentTypes | null
  /** Of success; 200 when left out. */
  status?: 201 | 202 | 204
  /** Answers 202 when what was asked for is begun and goes on after the answer. */
  mayContinueAfterResponse?: boolean
  errors?: readonly ErrorCode[]
}

export function route<const R extends Route>(route: R): R {
  return route
}

export function isSchema(answer: Route['response']): answer is z.ZodType {
  return answer !== null && !('stream' in answer)
}

type InputPart<R, K extends string> =
  R extends Record<K, infer Z extends z.ZodType> ? { [P in K]: z.output<Z> } : unknown
type RequestPart<R, K extends string> =
  R extends Record<K, infer Z extends z.ZodType> ? { [P in K]: z.input<Z> } : unknown

/** What a handler gets, with every default filled in. */
export type InputOf<R extends Route> = InputPart<R, 'params'> & InputPart<R, 'query'> & InputPart<R, 'body'>
/** What a caller gives. */
export type RequestOf<R extends Route> = RequestPart<R, 'params'> & RequestPart<R, 'query'> & RequestPart<R, 'body'>
export type ResponseOf<R extends Route> = R['response'] extends z.ZodType
  ? z.output<R['response']>
  : R['response'] extends null
    ? undefined
    : StreamedResponse

export interface StreamedResponse {
  type: string
  /** Shown as a download under this name. */
  filename: string | null
  headers?: Record<string, string>
  status?: number
  body: string | Uint8Array | AsyncIterable<string | Uint8Array>
}

// A client of the API for the web app, the command line and tests: every route by its name, with the contract's types.
// Carries no schemas, so that a browser need not load them.

import type { ErrorCode } from '../lib/errors.ts'
import { PATHS, type RouteName } from './contract/paths.ts'
import type { ROUTES, RouteRequest, RouteResponse } from './contract/routes.ts'
import type { Problem } from './http/problem.ts'
import type { FieldProblem } from './requests/request-error.ts'

export interface ClientSettings {
  /** Such as http://127.0.0.1:8080; empty for the place a page comes from. */
  baseUrl: string
  token?: string | null
  fetch?: typeof fetch
}

export interface CallOptions {
  signal?: AbortSignal
  headers?: Record<string, string>
}

type EmptyObject = Record<never, never>

/** Parts whose fields may all be left out may be left out themselves. */
type OptionalParts<T> = { [K in keyof T as EmptyObject extends T[K] ? K : never]?: T[K] } & {
  [K in keyof T as EmptyObject extends T[K] ? never : K]: T[K]
}
type CallInput<N extends RouteName> = unknown extends RouteRequest<N> ? EmptyObject : OptionalParts<RouteRequest<N>>
type CallArguments<N extends RouteName> =
  EmptyObject extends CallInput<N>
    ? [given?: CallInput<N>, options?: CallOptions]
    : [given: CallInput<N>, options?: CallOptions]

/** Streams come as the response itself. */
export type ClientResponse<N extends RouteName> = (typeof ROUTES)[N]['response'] extends { stream: readonly string[] }
  ? Response
  : RouteResponse<N>

export type Client = { [N in RouteName]: (...args: CallArguments<N>) => Promise<ClientResponse<N>> }

export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly code: ErrorCode
  /** 0 when there was no answer at all. */
  readonly status: number
  readonly fields: readonly FieldProblem[]
  readonly requestId: string | null

  constructor(problem: Pick<Problem, 'code' | 'status' | 'detail' | 'fields'> & { request_id: string | null }) {
    super(problem.detail)
    this.code = problem.code
    this.status = problem.status
    this.fields = problem.fields ?? []
    this.requestId = problem.request_id
  }
}

interface UntypedInput {
  params?: Record<string, unknown>
  query?: Record<string, unknown>
  body?: unknown
}

export function createClient(settings: ClientSettings): Client {
  const names = Object.keys(PATHS) as RouteName[]
  const calls = names.map((name) => [
    name,
    (given: UntypedInput = {}, options: CallOptions = {}) => sendRequest(settings, { name, given, options }),
  ])
  return Object.fromEntries(calls) as Client
}

/** Where a route is, for links and downloads. */
export function routeUrl(name: RouteName, given: UntypedInput, baseUrl = ''): string {
  const [, pattern = ''] = PATHS[name].split(' ')
  const path = pattern.replace(/\{(\w+)\}/g, (_, key: string) => encodeURIComponent(String(given.params?.[key] ?? '')))
  const query = new URLSearchParams()
  for (const [key, value] of Object.entries(given.query ?? {})) {
    const values: unknown[] = Array.isArray(value) ? value : [value]
    for (const one of values) if (one !== undefined && one !== null) query.append(key, String(one))
  }
  return `${baseUrl.replace(/\/+$/, '')}${path}${query.size === 0 ? '' : `?${query}`}`
}

interface ApiCall {
  name: RouteName
  given: UntypedInput
  options: CallOptions
}

async function sendRequest(settings: ClientSettings, { name, given, options }: ApiCall): Promise<unknown> {
  const { baseUrl, token = null } = settings
  const request = settings.fetch ?? fetch
  const [method = 'GET'] = PATHS[name].split(' ')
  const headers: Record<string, string> = { accept: 'application/json, */*', ...options.headers }
  if (token !== null) headers['authorization'] = `Bearer ${token}`
  if (given.body !== undefined) headers['content-type'] = 'application/json'
  let response: Response
  try {
    response = await request(routeUrl(name, given, baseUrl), {
      method,
      headers,
      ...(given.body === undefined ? {} : { body: JSON.stringify(given.body) }),
      ...(options.signal === undefined ? {} : { signal: options.signal }),
    })
  } catch (error) {
    if (options.signal?.aborted === true) throw error
    throw unreachableError(baseUrl)
  }
  if (!response.ok) throw await toApiError(response)
  if (response.status === 204 || response.headers.get('content-length') === '0') return undefined
  return response.headers.get('content-type')?.startsWith('application/json') === true && !isStream(name)
    ? response.json()
    : response
}

const STREAMS: readonly RouteName[] = ['exportCrawl', 'getPageRaw', 'getPageText', 'streamEvents']

function isStream(name: RouteName): boolean {
  return STREAMS.includes(name)
}

function unreachableError(baseUrl: string): ApiError {
  const where = baseUrl === '' ? 'The server' : `The server at ${baseUrl}`
  const detail = `${where} does not answer. Is it running?`
  return new ApiError({ code: 'SERVER_AWAY', status: 0, detail, request_id: null })
}

async function toApiError(response: Response): Promise<ApiError> {
  const text = await response.text()
  try {
    const problem = JSON.parse(text) as Problem
    if (typeof problem.code === 'string' && typeof problem.detail === 'string') return new ApiError(problem)
  } catch {
    // Something in between answered, such as a proxy.
  }
  const detail = `The server answered with status ${response.status} and without a reason.`
  const code = response.status >= 500 ? 'SERVER_AWAY' : 'INTERNAL'
  return new ApiError({ code, status: response.status, detail, request_id: response.headers.get('x-request-id') })
}

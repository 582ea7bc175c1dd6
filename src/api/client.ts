// A client of the API for the web app, the command line and tests: every route by its name, with the contract's types.
// Carries no schemas, so that a browser need not load them.

import type { ErrorCode } from '../lib/errors.ts'
import type { Problem } from './answers/problem.ts'
import { PATHS, type RouteName } from './contract/paths.ts'
import type { ROUTES, RouteAnswer, RouteGiven } from './contract/routes.ts'
import type { FieldProblem } from './requests/refusal.ts'

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

type Nothing = Record<never, never>

/** Parts whose fields may all be left out may be left out themselves. */
type Optional<T> = { [K in keyof T as Nothing extends T[K] ? K : never]?: T[K] } & {
  [K in keyof T as Nothing extends T[K] ? never : K]: T[K]
}
type Given<N extends RouteName> = unknown extends RouteGiven<N> ? Nothing : Optional<RouteGiven<N>>
type Arguments<N extends RouteName> =
  Nothing extends Given<N> ? [given?: Given<N>, options?: CallOptions] : [given: Given<N>, options?: CallOptions]

/** Streams come as the response itself. */
export type ClientAnswer<N extends RouteName> = (typeof ROUTES)[N]['answer'] extends { stream: readonly string[] }
  ? Response
  : RouteAnswer<N>

export type Client = { [N in RouteName]: (...args: Arguments<N>) => Promise<ClientAnswer<N>> }

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

interface AnyGiven {
  params?: Record<string, unknown>
  query?: Record<string, unknown>
  body?: unknown
}

export function createClient(settings: ClientSettings): Client {
  const names = Object.keys(PATHS) as RouteName[]
  const calls = names.map((name) => [
    name,
    (given: AnyGiven = {}, options: CallOptions = {}) => call(settings, { name, given, options }),
  ])
  return Object.fromEntries(calls) as Client
}

/** Where a route is, for links and downloads. */
export function addressOf(name: RouteName, given: AnyGiven, baseUrl = ''): string {
  const [, pattern = ''] = PATHS[name].split(' ')
  const path = pattern.replace(/\{(\w+)\}/g, (_, key: string) => encodeURIComponent(String(given.params?.[key] ?? '')))
  const query = new URLSearchParams()
  for (const [key, value] of Object.entries(given.query ?? {})) {
    const values: unknown[] = Array.isArray(value) ? value : [value]
    for (const one of values) if (one !== undefined && one !== null) query.append(key, String(one))
  }
  return `${baseUrl.replace(/\/+$/, '')}${path}${query.size === 0 ? '' : `?${query}`}`
}

interface Call {
  name: RouteName
  given: AnyGiven
  options: CallOptions
}

async function call(settings: ClientSettings, { name, given, options }: Call): Promise<unknown> {
  const { baseUrl, token = null } = settings
  const request = settings.fetch ?? fetch
  const [method = 'GET'] = PATHS[name].split(' ')
  const headers: Record<string, string> = { accept: 'application/json, */*', ...options.headers }
  if (token !== null) headers['authorization'] = `Bearer ${token}`
  if (given.body !== undefined) headers['content-type'] = 'application/json'
  let response: Response
  try {
    response = await request(addressOf(name, given, baseUrl), {
      method,
      headers,
      ...(given.body === undefined ? {} : { body: JSON.stringify(given.body) }),
      ...(options.signal === undefined ? {} : { signal: options.signal }),
    })
  } catch (error) {
    if (options.signal?.aborted === true) throw error
    throw noAnswer(baseUrl)
  }
  if (!response.ok) throw await toError(response)
  if (response.status === 204 || response.headers.get('content-length') === '0') return undefined
  return response.headers.get('content-type')?.startsWith('application/json') === true && !isStream(name)
    ? response.json()
    : response
}

const STREAMS: readonly RouteName[] = ['exportCrawl', 'getPageRaw', 'getPageText', 'streamEvents']

function isStream(name: RouteName): boolean {
  return STREAMS.includes(name)
}

function noAnswer(baseUrl: string): ApiError {
  const where = baseUrl === '' ? 'The server' : `The server at ${baseUrl}`
  const detail = `${where} does not answer. Is it running?`
  return new ApiError({ code: 'SERVER_AWAY', status: 0, detail, request_id: null })
}

async function toError(response: Response): Promise<ApiError> {
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

// The API client of the web app, the command line and tests: one method per route, with the types of the contract. It
// imports no schemas, so that the browser does not load them.

import type { ErrorCode } from '../lib/errors.ts'
import { PATHS, type RouteName } from './contract/paths.ts'
import type { ROUTES, RouteRequest, RouteResponse } from './contract/routes.ts'
import type { Problem } from './http/problem.ts'
import type { FieldProblem } from './requests/request-error.ts'

export interface ClientSettings {
  /** For example http://127.0.0.1:8080; empty for the origin of the page. */
  baseUrl: string
  token?: string | null
  fetch?: typeof fetch
}

export interface CallOptions {
  signal?: AbortSignal
  headers?: Record<string, string>
}

type EmptyObject = Record<never, never>

/** Makes a part optional if all its fields are optional. */
type OptionalParts<T> = { [K in keyof T as EmptyObject extends T[K] ? K : never]?: T[K] } & {
  [K in keyof T as EmptyObject extends T[K] ? never : K]: T[K]
}
type CallInput<N extends RouteName> = unknown extends RouteRequest<N> ? EmptyObject : OptionalParts<RouteRequest<N>>
type CallArguments<N extends RouteName> =
  EmptyObject extends CallInput<N>
    ? [input?: CallInput<N>, options?: CallOptions]
    : [input: CallInput<N>, options?: CallOptions]

/** The type of a route's response; for streams, the Response itself. */
export type ClientResponse<N extends RouteName> = (typeof ROUTES)[N]['response'] extends { stream: readonly string[] }
  ? Response
  : RouteResponse<N>

export type Client = { [N in RouteName]: (...args: CallArguments<N>) => Promise<ClientResponse<N>> }

export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly code: ErrorCode
  /** 0 if there was no response. */
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
    (input: UntypedInput = {}, options: CallOptions = {}) => sendRequest(settings, { name, input, options }),
  ])
  return Object.fromEntries(calls) as Client
}

/** The URL of a route, for links and downloads. */
export function routeUrl(name: RouteName, input: UntypedInput, baseUrl = ''): string {
  const [, pattern = ''] = PATHS[name].split(' ')
  const path = pattern.replace(/\{(\w+)\}/g, (_, key: string) => encodeURIComponent(String(input.params?.[key] ?? '')))
  const query = new URLSearchParams()
  for (const [key, value] of Object.entries(input.query ?? {})) {
    const values: unknown[] = Array.isArray(value) ? value : [value]
    for (const item of values) if (item !== undefined && item !== null) query.append(key, String(item))
  }
  return `${baseUrl.replace(/\/+$/, '')}${path}${query.size === 0 ? '' : `?${query}`}`
}

interface ApiCall {
  name: RouteName
  input: UntypedInput
  options: CallOptions
}

async function sendRequest(settings: ClientSettings, { name, input, options }: ApiCall): Promise<unknown> {
  const { baseUrl, token = null } = settings
  const request = settings.fetch ?? fetch
  const [method = 'GET'] = PATHS[name].split(' ')
  const headers: Record<string, string> = { accept: 'application/json, */*', ...options.headers }
  if (token !== null) headers['authorization'] = `Bearer ${token}`
  if (input.body !== undefined) headers['content-type'] = 'application/json'
  let response: Response
  try {
    response = await request(routeUrl(name, input, baseUrl), {
      method,
      headers,
      ...(input.body === undefined ? {} : { body: JSON.stringify(input.body) }),
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

const STREAMS: readonly RouteName[] = [
  'exportCrawl',
  'getPageRaw',
  'getPageText',
  'getPageMarkdown',
  'getPageScreenshot',
  'streamEvents',
]

function isStream(name: RouteName): boolean {
  return STREAMS.includes(name)
}

function unreachableError(baseUrl: string): ApiError {
  const server = baseUrl === '' ? 'The server' : `The server at ${baseUrl}`
  const detail = `${server} does not respond. Is it running?`
  return new ApiError({ code: 'SERVER_AWAY', status: 0, detail, request_id: null })
}

async function toApiError(response: Response): Promise<ApiError> {
  const text = await response.text()
  try {
    const problem = JSON.parse(text) as Problem
    if (typeof problem.code === 'string' && typeof problem.detail === 'string') return new ApiError(problem)
  } catch {
    // The response is not ours; it may come from a proxy.
  }
  const detail = `The server responded with status ${response.status} and no explanation.`
  const code = response.status >= 500 ? 'SERVER_AWAY' : 'INTERNAL'
  return new ApiError({ code, status: response.status, detail, request_id: response.headers.get('x-request-id') })
}

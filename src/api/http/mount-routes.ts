// Mounts the routes of the contract: access check, validation, handler, response.

import type { Hono } from 'hono'
import type { Config } from '../../config/schema.ts'
import type { Clock } from '../../lib/clock.ts'
import { AppError } from '../../lib/errors.ts'
import type { RequestGuard } from '../auth/request-guard.ts'
import { PATHS, type RouteName } from '../contract/paths.ts'
import { isSchema, type Route, type StreamedResponse } from '../contract/route.ts'
import { ROUTES } from '../contract/routes.ts'
import type { Caller, Handlers } from '../handlers.ts'
import { findSettingProblems } from '../requests/crawl-request.ts'
import { withHandlerTimeout } from '../requests/handler-timeout.ts'
import { IDEMPOTENT_ROUTES, type IdempotentRequests, MAX_KEY_LENGTH } from '../requests/idempotency.ts'
import { readJsonBody } from '../requests/json-body.ts'
import { invalidFieldsError, RequestError } from '../requests/request-error.ts'
import { type ValidatedInput, validateRequest } from '../requests/validate-request.ts'
import { type ApiContext, type ApiEnv, accessFor, createCaller, requireAccess } from './request-context.ts'
import { CACHED_ROUTES, type ResponseCache } from './response-cache.ts'
import { cacheableResponse, checkResponse, jsonResponse, streamResponse } from './responses.ts'

export interface MountDependencies {
  guard: RequestGuard
  handlers: Handlers
  idempotency: IdempotentRequests
  clock: Clock
  config: Config
  responseCache: ResponseCache
  /** Validates responses against their schemas. */
  checksResponses: boolean
}

/** Routes with crawl settings in the body. */
const ROUTES_WITH_SETTINGS: readonly RouteName[] = ['createCrawl', 'checkCrawl', 'changeCrawl']

type AnyHandler = (input: ValidatedInput, caller: Caller) => Promise<unknown>

export function mountRoutes(app: Hono<ApiEnv>, dependencies: MountDependencies): void {
  const methodsOf = new Map<string, string[]>()
  for (const name of Object.keys(PATHS) as RouteName[]) {
    const [method, pattern] = methodAndPath(name)
    const path = pattern.replace(/\{(\w+)\}/g, ':$1')
    app.on(method, path, requireAccess(dependencies.guard, accessFor(name), PATHS[name]), (c) =>
      handleRequest(c, name, dependencies),
    )
    methodsOf.set(path, [...(methodsOf.get(path) ?? []), method])
  }
  for (const [path, methods] of methodsOf) app.all(path, (c) => rejectMethod(c, methods))
}

export function methodAndPath(name: RouteName): [method: string, path: string] {
  const [method = '', path = ''] = PATHS[name].split(' ')
  return [method, path]
}

async function handleRequest(c: ApiContext, name: RouteName, dependencies: MountDependencies): Promise<Response> {
  const route: Route = ROUTES[name]
  const query = new URL(c.req.url).searchParams
  const raw = { params: c.req.param(), query, body: await readJsonBody(c.req.raw) }
  const input = validateRequest(route, raw, (body) =>
    ROUTES_WITH_SETTINGS.includes(name) ? findSettingProblems(body, dependencies.config) : [],
  )
  const caller = createCaller(c)
  const handler = dependencies.handlers[name] as AnyHandler
  if (CACHED_ROUTES.includes(name)) {
    const compute = () =>
      withHandlerTimeout(handler(input, caller), dependencies.clock).then((value) =>
        checkedResponse(name, value, dependencies),
      )
    const json = await dependencies.responseCache.getOrCompute(c.env.incoming.url ?? '', name, compute)
    return cacheableResponse(json, { ifNoneMatch: c.req.header('if-none-match') ?? null })
  }
  const call = { name, input, caller, idempotency: dependencies.idempotency }
  const { value, isRepeated } = await withHandlerTimeout(
    runIdempotent(c, call, () => handler(input, caller)),
    dependencies.clock,
  )
  if (isRepeated) caller.headers.set('idempotency-replayed', 'true')
  const response = toResponse(
    c,
    caller.continuesAfterResponse ? { ...route, status: 202 } : route,
    checkedResponse(name, value, dependencies),
  )
  for (const [header, text] of caller.headers) response.headers.append(header, text)
  return response
}

function checkedResponse(name: RouteName, value: unknown, { checksResponses }: MountDependencies): unknown {
  if (checksResponses) checkResponse(ROUTES[name], name, value)
  return value
}

function toResponse(c: ApiContext, route: Route, value: unknown): Response {
  const status = route.status ?? 200
  if (route.response === null) return emptyResponse(status)
  if (!isSchema(route.response)) return streamResponse(value as StreamedResponse)
  return jsonResponse(value, status, { method: c.req.method, ifNoneMatch: c.req.header('if-none-match') ?? null })
}

function emptyResponse(status: number): Response {
  const length = status === 204 ? null : { 'content-length': '0' }
  return new Response(null, { status, headers: { 'cache-control': 'no-store', ...length } })
}

interface RouteCall {
  name: RouteName
  input: ValidatedInput
  caller: Caller
  idempotency: IdempotentRequests
}

async function runIdempotent(
  c: ApiContext,
  { name, input, caller, idempotency }: RouteCall,
  run: () => Promise<unknown>,
) {
  const key = c.req.header('idempotency-key')
  if (key === undefined || !IDEMPOTENT_ROUTES.includes(name)) return { value: await run(), isRepeated: false }
  if (!/^[\x21-\x7e]+$/.test(key) || key.length > MAX_KEY_LENGTH) {
    const message = `Must have 1 to ${MAX_KEY_LENGTH} printable characters.`
    throw invalidFieldsError('BAD_REQUEST', [{ field: 'headers.idempotency-key', message }])
  }
  return idempotency.runOnce({ key: `${caller.tokenId ?? ''}:${name}:${key}`, request: input }, run)
}

function rejectMethod(c: ApiContext, methods: string[]): Response {
  const allowed = [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ')
  if (c.req.method === 'OPTIONS') return new Response(null, { status: 204, headers: { allow: allowed } })
  const message = `This path supports ${allowed}, not ${c.req.method}.`
  throw new RequestError('METHOD_NOT_ALLOWED', message, { headers: { allow: allowed } })
}

export function throwRouteNotFound(c: ApiContext): never {
  throw new AppError(
    'ROUTE_NOT_FOUND',
    `The API has no path ${c.req.path}. See GET /api/v1/openapi.json for all paths.`,
  )
}

// The routes of the contract on the app: who may, what is asked, the handler, the answer.

import type { Hono } from 'hono'
import type { Config } from '../config/schema.ts'
import type { Clock } from '../lib/clock.ts'
import { AppError } from '../lib/errors.ts'
import { checkAnswer, jsonResponse, readResponse, streamResponse } from './answers/answer.ts'
import { SHARED, type SharedAnswers } from './answers/shared.ts'
import { PATHS, type RouteName } from './contract/paths.ts'
import { type AnswerStream, isSchema, type Route } from './contract/route.ts'
import { ROUTES } from './contract/routes.ts'
import { type ApiContext, type ApiEnv, callerOf, needOf, needs } from './env.ts'
import type { Guard } from './guard/guard.ts'
import type { Caller, Handlers } from './handlers.ts'
import { readJson } from './requests/body.ts'
import { type Idempotency, MAX_KEY, REPEATABLE } from './requests/idempotency.ts'
import { wrongSettings } from './requests/new-crawl.ts'
import { patiently } from './requests/patience.ts'
import { Refusal, refuseFields } from './requests/refusal.ts'
import { type ValidInput, validate } from './requests/validate.ts'

export interface MountParts {
  guard: Guard
  handlers: Handlers
  idempotency: Idempotency
  clock: Clock
  config: Config
  shared: SharedAnswers
  /** Answers are checked against their schemas. */
  checksAnswers: boolean
}

/** Routes whose body has settings of a crawl. */
const WITH_SETTINGS: readonly RouteName[] = ['createCrawl', 'checkCrawl', 'changeCrawl']

type AnyHandler = (input: ValidInput, caller: Caller) => Promise<unknown>

export function mountRoutes(app: Hono<ApiEnv>, parts: MountParts): void {
  const methodsOf = new Map<string, string[]>()
  for (const name of Object.keys(PATHS) as RouteName[]) {
    const [method, pattern] = splitPath(name)
    const path = pattern.replace(/\{(\w+)\}/g, ':$1')
    app.on(method, path, needs(parts.guard, needOf(name), PATHS[name]), (c) => answer(c, name, parts))
    methodsOf.set(path, [...(methodsOf.get(path) ?? []), method])
  }
  for (const [path, methods] of methodsOf) app.all(path, (c) => refuseMethod(c, methods))
}

export function splitPath(name: RouteName): [method: string, path: string] {
  const [method = '', path = ''] = PATHS[name].split(' ')
  return [method, path]
}

async function answer(c: ApiContext, name: RouteName, parts: MountParts): Promise<Response> {
  const route: Route = ROUTES[name]
  const query = new URL(c.req.url).searchParams
  const raw = { params: c.req.param(), query, body: await readJson(c.req.raw) }
  const input = validate(route, raw, (body) => (WITH_SETTINGS.includes(name) ? wrongSettings(body, parts.config) : []))
  const caller = callerOf(c)
  const handler = parts.handlers[name] as AnyHandler
  if (SHARED.includes(name)) {
    const make = () => patiently(handler(input, caller), parts.clock).then((value) => checked(name, value, parts))
    const made = await parts.shared.get(c.env.incoming.url ?? '', name, make)
    return readResponse(made, { ifNoneMatch: c.req.header('if-none-match') ?? null })
  }
  const run = { name, input, caller, idempotency: parts.idempotency }
  const { value, isRepeated } = await patiently(
    runOnce(c, run, () => handler(input, caller)),
    parts.clock,
  )
  if (isRepeated) caller.headers.set('idempotency-replayed', 'true')
  const response = toResponse(c, caller.goesOn ? { ...route, status: 202 } : route, checked(name, value, parts))
  for (const [header, text] of caller.headers) response.headers.append(header, text)
  return response
}

function checked(name: RouteName, value: unknown, { checksAnswers }: MountParts): unknown {
  if (checksAnswers) checkAnswer(ROUTES[name], name, value)
  return value
}

function toResponse(c: ApiContext, route: Route, value: unknown): Response {
  const status = route.status ?? 200
  if (route.answer === null) return emptyResponse(status)
  if (!isSchema(route.answer)) return streamResponse(value as AnswerStream)
  return jsonResponse(value, status, { method: c.req.method, ifNoneMatch: c.req.header('if-none-match') ?? null })
}

function emptyResponse(status: number): Response {
  const length = status === 204 ? null : { 'content-length': '0' }
  return new Response(null, { status, headers: { 'cache-control': 'no-store', ...length } })
}

interface Run {
  name: RouteName
  input: ValidInput
  caller: Caller
  idempotency: Idempotency
}

async function runOnce(c: ApiContext, { name, input, caller, idempotency }: Run, run: () => Promise<unknown>) {
  const key = c.req.header('idempotency-key')
  if (key === undefined || !REPEATABLE.includes(name)) return { value: await run(), isRepeated: false }
  if (!/^[\x21-\x7e]+$/.test(key) || key.length > MAX_KEY) {
    const message = `It must have 1 to ${MAX_KEY} printable characters.`
    throw refuseFields('BAD_REQUEST', [{ field: 'headers.idempotency-key', message }])
  }
  return idempotency.once({ key: `${caller.tokenId ?? ''}:${name}:${key}`, request: input }, run)
}

function refuseMethod(c: ApiContext, methods: string[]): Response {
  const allowed = [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ')
  if (c.req.method === 'OPTIONS') return new Response(null, { status: 204, headers: { allow: allowed } })
  const sentence = `This path takes ${allowed}, not ${c.req.method}.`
  throw new Refusal('METHOD_NOT_ALLOWED', sentence, { headers: { allow: allowed } })
}

export function noSuchPath(c: ApiContext): never {
  throw new AppError('ROUTE_NOT_FOUND', `The API has no path ${c.req.path}. GET /api/v1/openapi.json lists them.`)
}

// The routes of the contract on the app: who may, what is asked, the handler, the answer.

import type { Hono } from 'hono'
import type { Clock } from '../lib/clock.ts'
import { AppError } from '../lib/errors.ts'
import { checkAnswer, jsonResponse, streamResponse } from './answers/answer.ts'
import { PATHS, type RouteName } from './contract/paths.ts'
import { type AnswerStream, isSchema, type Route } from './contract/route.ts'
import { ROUTES } from './contract/routes.ts'
import { type ApiContext, type ApiEnv, callerOf, needs } from './env.ts'
import type { Guard } from './guard/guard.ts'
import type { Caller, Handlers } from './handlers.ts'
import { readJson } from './requests/body.ts'
import { type Idempotency, MAX_KEY, REPEATABLE } from './requests/idempotency.ts'
import { patiently } from './requests/patience.ts'
import { Refusal, refuseFields } from './requests/refusal.ts'
import { type ValidInput, validate } from './requests/validate.ts'

export interface MountParts {
  guard: Guard
  handlers: Handlers
  idempotency: Idempotency
  clock: Clock
  /** Answers are checked against their schemas. */
  checksAnswers: boolean
}

type AnyHandler = (input: ValidInput, caller: Caller) => Promise<unknown>

export function mountRoutes(app: Hono<ApiEnv>, parts: MountParts): void {
  const methodsOf = new Map<string, string[]>()
  for (const name of Object.keys(PATHS) as RouteName[]) {
    const [method, pattern] = splitPath(name)
    const path = pattern.replace(/\{(\w+)\}/g, ':$1')
    const route: Route = ROUTES[name]
    const guarded = needs(parts.guard, { scope: route.scope, isOpen: route.isOpen === true })
    app.on(method, path, guarded, (c) => answer(c, name, parts))
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
  c.set('route', PATHS[name])
  const query = new URL(c.req.url).searchParams
  const input = validate(route, { params: c.req.param(), query, body: await readJson(c.req.raw) })
  const caller = callerOf(c)
  const handler = parts.handlers[name] as AnyHandler
  const run = { name, input, caller, idempotency: parts.idempotency }
  const { value, isRepeated } = await patiently(
    runOnce(c, run, () => handler(input, caller)),
    parts.clock,
  )
  if (isRepeated) caller.headers.set('idempotency-replayed', 'true')
  if (parts.checksAnswers) checkAnswer(route, name, value)
  const response = toResponse(c, route, value)
  for (const [header, text] of caller.headers) response.headers.append(header, text)
  return response
}

function toResponse(c: ApiContext, route: Route, value: unknown): Response {
  const status = route.status ?? 200
  if (route.answer === null) return new Response(null, { status, headers: { 'cache-control': 'no-store' } })
  if (!isSchema(route.answer)) return streamResponse(value as AnswerStream)
  return jsonResponse(value, status, { method: c.req.method, ifNoneMatch: c.req.header('if-none-match') ?? null })
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

// Generates the OpenAPI document from the schemas that validate the requests.

import { z } from 'zod'
import { ERRORS, type ErrorCode } from '../../lib/errors.ts'
import { PATHS, type RouteName } from '../contract/paths.ts'
import { isSchema, type Route } from '../contract/route.ts'
import { ROUTES } from '../contract/routes.ts'
import { methodAndPath } from '../http/mount-routes.ts'
import { PROBLEM_TYPE } from '../http/problem.ts'
import { IDEMPOTENT_ROUTES } from '../requests/idempotency.ts'

type Json = Record<string, unknown>

/** Errors of every route. */
const COMMON_ERRORS: readonly ErrorCode[] = ['RATE_LIMITED', 'HOST_REFUSED', 'ORIGIN_REFUSED', 'INTERNAL']
const TOKEN_ERRORS: readonly ErrorCode[] = ['TOKEN_MISSING', 'TOKEN_WRONG', 'TOKEN_EXPIRED', 'SCOPE_MISSING']
const BODY_ERRORS: readonly ErrorCode[] = ['BODY_TOO_LARGE', 'UNSUPPORTED_TYPE']

export function openApiDocument(version: string): Json {
  const paths: Record<string, Json> = {}
  for (const name of Object.keys(PATHS) as RouteName[]) {
    const [method, path] = methodAndPath(name)
    paths[path] = { ...paths[path], [method.toLowerCase()]: operation(name) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Orbweaver',
      version,
      description: 'A self-hosted web crawler and search engine. Lists are paginated; errors are problem+json.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    paths,
    components: {
      schemas: { Problem: PROBLEM },
      securitySchemes: {
        token: {
          type: 'http',
          scheme: 'bearer',
          description: 'Create one with: orbweaver token create <name> <scope>',
        },
        session: { type: 'apiKey', in: 'cookie', name: 'orbweaver_session' },
      },
    },
  }
}

const PROBLEM: Json = {
  type: 'object',
  required: ['type', 'title', 'status', 'code', 'detail', 'request_id'],
  properties: {
    type: { type: 'string' },
    title: { type: 'string' },
    status: { type: 'integer' },
    code: { enum: Object.keys(ERRORS) },
    detail: { type: 'string' },
    request_id: { type: 'string' },
    fields: {
      type: 'array',
      items: {
        type: 'object',
        required: ['field', 'message'],
        properties: { field: { type: 'string' }, message: { type: 'string' } },
      },
    },
  },
}

function operation(name: RouteName): Json {
  const route: Route = ROUTES[name]
  const parameters = [...parametersOf(route.params, 'path'), ...parametersOf(route.query, 'query')]
  if (IDEMPOTENT_ROUTES.includes(name)) parameters.push(IDEMPOTENCY_KEY)
  return {
    operationId: name,
    summary: route.summary,
    description: route.isOpen === true ? 'Requires no token.' : `Requires a token with ${route.scope} scope.`,
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(route.body === undefined
      ? {}
      : {
          requestBody: {
            required: true,
            content: { 'application/json': { schema: toJsonSchema(route.body, 'input') } },
          },
        }),
    responses: {
      [String(route.status ?? 200)]: successResponse(route),
      ...(route.mayContinueAfterResponse === true
        ? { 202: { description: 'Accepted; the work continues in the background.' } }
        : {}),
      ...problemResponses(route),
    },
    security: route.isOpen === true ? [{}] : [{ token: [] }, { session: [] }],
  }
}

const IDEMPOTENCY_KEY: Json = {
  name: 'Idempotency-Key',
  in: 'header',
  description: 'Requests with the same key are executed once; the response is repeated for a day.',
  schema: { type: 'string', minLength: 1, maxLength: 200 },
}

function parametersOf(object: z.ZodObject | undefined, location: 'path' | 'query'): Json[] {
  if (object === undefined) return []
  const { properties = {}, required = [] } = toJsonSchema(object, 'input') as {
    properties?: Record<string, Json>
    required?: string[]
  }
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: location,
    required: location === 'path' || required.includes(name),
    ...(description === undefined ? {} : { description }),
    schema,
  }))
}

function successResponse({ response }: Route): Json {
  if (response === null) return { description: 'Success.' }
  if (isSchema(response)) {
    return { description: 'Success.', content: { 'application/json': { schema: toJsonSchema(response, 'output') } } }
  }
  const content = Object.fromEntries(response.stream.map((type) => [type, { schema: { type: 'string' } }]))
  return { description: 'A stream.', content }
}

function problemResponses(route: Route): Json {
  const codes = [
    ...(route.params === undefined && route.query === undefined && route.body === undefined
      ? []
      : (['BAD_REQUEST'] as const)),
    ...(route.body === undefined ? [] : BODY_ERRORS),
    ...(route.isOpen === true ? [] : TOKEN_ERRORS),
    ...(route.errors ?? []),
    ...COMMON_ERRORS,
  ]
  const byStatus = Map.groupBy(new Set(codes), (code) => ERRORS[code].http)
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      String(status),
      {
        description: codes.map((code) => `${code}: ${ERRORS[code].help}`).join(' '),
        content: { [PROBLEM_TYPE]: { schema: { $ref: '#/components/schemas/Problem' } } },
      },
    ]),
  )
}

function toJsonSchema(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Json
  return json
}

// Requests against their schemas. Unknown fields are refused, and every bad one is named at once.

import { z } from 'zod'
import { nearest } from '../../lib/nearest.ts'
import type { Route } from '../contract/route.ts'
import type { FieldProblem } from './refusal.ts'
import { MAX_FIELDS, refuseFields } from './refusal.ts'
import { sentenceOf } from './sentence.ts'

/** No request of ours has more than three levels. */
const MAX_DEPTH = 20

export interface RawRequest {
  params: Record<string, string>
  query: URLSearchParams
  /** Parsed JSON; undefined when there is no body. */
  body: unknown
}

export interface ValidInput {
  params?: unknown
  query?: unknown
  body?: unknown
}

/** `alsoWrong` tells of a body what no schema does, when something is wrong anyhow. */
export function validate(
  route: Route,
  raw: RawRequest,
  alsoWrong: (body: unknown) => FieldProblem[] = () => [],
): ValidInput {
  const problems: FieldProblem[] = []
  const input: ValidInput = {}
  for (const part of ['params', 'body'] as const) notePlain(raw[part], part, problems)
  if (route.params !== undefined) input.params = check(route.params, raw.params, 'params', problems)
  const query = queryObject(raw.query)
  notePlain(query, 'query', problems)
  const known: z.core.$ZodShape = route.query?.shape ?? {}
  for (const name of Object.keys(query)) {
    if (!Object.hasOwn(known, name)) noteUnknown('parameter', 'query', name, Object.keys(known), problems)
  }
  if (route.query !== undefined) input.query = check(route.query, query, 'query', problems)
  if (route.body !== undefined) input.body = check(route.body, raw.body, 'body', problems)
  else if (raw.body !== undefined) problems.push({ field: 'body', message: 'This request has no body.' })
  if (problems.length > 0) throw refuseFields('BAD_REQUEST', [...problems, ...alsoWrong(raw.body)])
  return input
}

function check(schema: z.ZodType, value: unknown, part: string, problems: FieldProblem[]): unknown {
  const result = schema.safeParse(value, { reportInput: true })
  if (result.success) return result.data
  for (const issue of result.error.issues) {
    const field = [part, ...issue.path.map(String)].join('.')
    if (issue.code === 'unrecognized_keys') {
      const known = fieldsAt(schema, issue.path)
      for (const key of issue.keys) noteUnknown('field', field, key, known, problems)
    } else problems.push({ field, message: sentenceOf(issue) })
  }
  return undefined
}

function fieldsAt(schema: z.core.$ZodType, [step, ...rest]: readonly PropertyKey[]): string[] {
  const inner = schema instanceof z.ZodOptional ? schema.unwrap() : schema
  if (!(inner instanceof z.ZodObject)) return []
  if (step === undefined) return Object.keys(inner.shape)
  const next = inner.shape[String(step)]
  return next === undefined ? [] : fieldsAt(next, rest)
}

const MAX_NAME = 100

function noteUnknown(
  what: 'field' | 'parameter',
  place: string,
  name: string,
  known: string[],
  problems: FieldProblem[],
): void {
  // To look for near names takes its time, and no more than these are told.
  const names = problems.length < MAX_FIELDS ? known : []
  const close = nearest(name, names)
  const list = names.length === 0 ? '' : ` There are: ${names.join(', ')}.`
  const hint = close === null ? list : ` Did you mean ${close}?`
  problems.push({ field: `${place}.${name.slice(0, MAX_NAME)}`, message: `There is no such ${what}.${hint}` })
}

/** A parameter that comes several times is a list. */
function queryObject(query: URLSearchParams): Record<string, string | string[]> {
  const object: Record<string, string | string[]> = Object.create(null) as Record<string, string | string[]>
  for (const [name, value] of query) {
    const before = object[name]
    if (before === undefined) object[name] = value
    else if (typeof before === 'string') object[name] = [before, value]
    else before.push(value)
  }
  return object
}

/**
 * Some databases cannot store a NUL or half of a character (a lone surrogate), and no text of ours has one. What is nested
 * without end would break whoever walks through it, this function too.
 */
function notePlain(value: unknown, field: string, problems: FieldProblem[], depth = 0): void {
  if (typeof value === 'string') {
    if (value.includes('\0')) problems.push({ field, message: 'It has a NUL character.' })
    if (!value.isWellFormed()) problems.push({ field, message: 'It has half of a character.' })
  } else if (typeof value === 'object' && value !== null) {
    if (depth >= MAX_DEPTH) throw refuseFields('BAD_REQUEST', [{ field, message: 'It is nested too deep.' }])
    for (const [key, inner] of Object.entries(value)) {
      notePlain(key, field, problems, depth)
      notePlain(inner, `${field}.${key}`, problems, depth + 1)
    }
  }
}

// Requests against their schemas. Unknown fields are refused, and every bad one is named at once.

import { z } from 'zod'
import { closestWord } from '../../lib/closest-word.ts'
import type { Route } from '../contract/route.ts'
import { describeIssue } from './describe-issue.ts'
import type { FieldProblem } from './request-error.ts'
import { invalidFieldsError, MAX_FIELDS } from './request-error.ts'

/** No request of ours has more than three levels. */
const MAX_DEPTH = 20

export interface RawRequest {
  params: Record<string, string>
  query: URLSearchParams
  /** Parsed JSON; undefined when there is no body. */
  body: unknown
}

export interface ValidatedInput {
  params?: unknown
  query?: unknown
  body?: unknown
}

/** `alsoWrong` tells of a body what no schema does, when something is wrong anyhow. */
export function validateRequest(
  route: Route,
  raw: RawRequest,
  alsoWrong: (body: unknown) => FieldProblem[] = () => [],
): ValidatedInput {
  const problems: FieldProblem[] = []
  const input: ValidatedInput = {}
  for (const part of ['params', 'body'] as const) checkText(raw[part], part, problems)
  if (route.params !== undefined) input.params = checkPart(route.params, raw.params, 'params', problems)
  const query = queryObject(raw.query)
  checkText(query, 'query', problems)
  const known: z.core.$ZodShape = route.query?.shape ?? {}
  for (const name of Object.keys(query)) {
    if (!Object.hasOwn(known, name)) addUnknownProblem('parameter', 'query', name, Object.keys(known), problems)
  }
  if (route.query !== undefined) input.query = checkPart(route.query, query, 'query', problems)
  if (route.body !== undefined) input.body = checkPart(route.body, raw.body, 'body', problems)
  else if (raw.body !== undefined) problems.push({ field: 'body', message: 'This request has no body.' })
  if (problems.length > 0) throw invalidFieldsError('BAD_REQUEST', [...problems, ...alsoWrong(raw.body)])
  return input
}

function checkPart(schema: z.ZodType, value: unknown, part: string, problems: FieldProblem[]): unknown {
  const result = schema.safeParse(value, { reportInput: true })
  if (result.success) return result.data
  for (const issue of result.error.issues) {
    const field = [part, ...issue.path.map(String)].join('.')
    if (issue.code === 'unrecognized_keys') {
      const known = fieldsAt(schema, issue.path)
      for (const key of issue.keys) addUnknownProblem('field', field, key, known, problems)
    } else problems.push({ field, message: describeIssue(issue) })
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

function addUnknownProblem(
  what: 'field' | 'parameter',
  place: string,
  name: string,
  known: string[],
  problems: FieldProblem[],
): void {
  // To look for near names takes its time, and no more than these are told.
  const names = problems.length < MAX_FIELDS ? known : []
  const close = closestWord(name, names)
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
function checkText(value: unknown, field: string, problems: FieldProblem[], depth = 0): void {
  if (typeof value === 'string') {
    if (value.includes('\0')) problems.push({ field, message: 'It has a NUL character.' })
    if (!value.isWellFormed()) problems.push({ field, message: 'It has half of a character.' })
  } else if (typeof value === 'object' && value !== null) {
    if (depth >= MAX_DEPTH) throw invalidFieldsError('BAD_REQUEST', [{ field, message: 'It is nested too deep.' }])
    for (const [key, inner] of Object.entries(value)) {
      checkText(key, field, problems, depth)
      checkText(inner, `${field}.${key}`, problems, depth + 1)
    }
  }
}

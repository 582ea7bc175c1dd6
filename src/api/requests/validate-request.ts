// Validates requests against their schemas. Unknown fields are rejected, and all problems are reported at once.

import { z } from 'zod'
import { closestWord } from '../../lib/closest-word.ts'
import type { Route } from '../contract/route.ts'
import { describeIssue } from './describe-issue.ts'
import type { FieldProblem } from './request-error.ts'
import { invalidFieldsError, MAX_FIELDS } from './request-error.ts'

/** Valid requests have at most three levels. */
const MAX_DEPTH = 20

export interface RawRequest {
  params: Record<string, string>
  query: URLSearchParams
  /** Parsed JSON; undefined without a body. */
  body: unknown
}

export interface ValidatedInput {
  params?: unknown
  query?: unknown
  body?: unknown
}

/** `findMoreProblems` adds problems that the schema cannot find, if the request is invalid anyway. */
export function validateRequest(
  route: Route,
  raw: RawRequest,
  findMoreProblems: (body: unknown) => FieldProblem[] = () => [],
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
  else if (raw.body !== undefined) problems.push({ field: 'body', message: 'This route takes no body.' })
  if (problems.length > 0) throw invalidFieldsError('BAD_REQUEST', [...problems, ...findMoreProblems(raw.body)])
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
  // Finding similar names is slow, and no more than MAX_FIELDS problems are reported.
  const names = problems.length < MAX_FIELDS ? known : []
  const similar = closestWord(name, names)
  const list = names.length === 0 ? '' : ` Known: ${names.join(', ')}.`
  const hint = similar === null ? list : ` Did you mean ${similar}?`
  problems.push({ field: `${place}.${name.slice(0, MAX_NAME)}`, message: `Unknown ${what}.${hint}` })
}

/** Repeated parameters become a list. */
function queryObject(query: URLSearchParams): Record<string, string | string[]> {
  const object: Record<string, string | string[]> = Object.create(null) as Record<string, string | string[]>
  for (const [name, value] of query) {
    const previous = object[name]
    if (previous === undefined) object[name] = value
    else if (typeof previous === 'string') object[name] = [previous, value]
    else previous.push(value)
  }
  return object
}

/**
 * Rejects NUL characters and lone surrogates, which some databases cannot store, and deep nesting, which could overflow
 * the stack of recursive functions such as this one.
 */
function checkText(value: unknown, field: string, problems: FieldProblem[], depth = 0): void {
  if (typeof value === 'string') {
    if (value.includes('\0')) problems.push({ field, message: 'Contains a NUL character.' })
    if (!value.isWellFormed()) problems.push({ field, message: 'Contains a lone surrogate.' })
  } else if (typeof value === 'object' && value !== null) {
    if (depth >= MAX_DEPTH) throw invalidFieldsError('BAD_REQUEST', [{ field, message: 'Is nested too deeply.' }])
    for (const [key, inner] of Object.entries(value)) {
      checkText(key, field, problems, depth)
      checkText(inner, `${field}.${key}`, problems, depth + 1)
    }
  }
}

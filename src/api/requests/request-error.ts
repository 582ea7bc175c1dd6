// An error with details for the client: bad fields and response headers.

import { AppError, type ErrorCode } from '../../lib/errors.ts'

export interface FieldProblem {
  /** For example body.settings.max_pages or query.limit. */
  field: string
  message: string
}

export interface RequestErrorDetails {
  fields?: readonly FieldProblem[]
  headers?: Record<string, string>
}

export class RequestError extends AppError {
  readonly fields: readonly FieldProblem[] | null
  readonly headers: Record<string, string>

  constructor(code: ErrorCode, message: string, { fields, headers = {} }: RequestErrorDetails) {
    super(code, message)
    this.fields = fields ?? null
    this.headers = headers
  }
}

/** More fields than any form has. */
export const MAX_FIELDS = 100

/** Reports all bad fields at once, so that a form can show them. */
export function invalidFieldsError(code: ErrorCode, all: readonly FieldProblem[]): RequestError {
  const fields = all.slice(0, MAX_FIELDS)
  const lines = fields.map(({ field, message }) => `${field}: ${message}`)
  if (all.length > fields.length) lines.push(`And ${all.length - fields.length} more.`)
  return new RequestError(code, lines.join(' '), { fields })
}

/** For callers other than HTTP clients: problems in their terms. */
export function renameFields(error: unknown, rename: (problem: FieldProblem) => FieldProblem): unknown {
  if (!(error instanceof RequestError) || error.fields === null) return error
  return invalidFieldsError(error.code, error.fields.map(rename))
}

/** The field without the part of the request, such as `body`. */
export function withoutPart({ field, message }: FieldProblem): FieldProblem {
  return { field: field.replace(/^(body|params|query)\./, ''), message }
}

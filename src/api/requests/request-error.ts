// A request that is refused, with more to say than a code and a sentence.

import { AppError, type ErrorCode } from '../../lib/errors.ts'

export interface FieldProblem {
  /** Such as body.settings.max_pages or query.limit. */
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

/** More than a form has, and no more than somebody would read. */
export const MAX_FIELDS = 100

/** Every bad field in one refusal, so that a form can show them all. */
export function invalidFieldsError(code: ErrorCode, all: readonly FieldProblem[]): RequestError {
  const fields = all.slice(0, MAX_FIELDS)
  const told = fields.map(({ field, message }) => `${field}: ${message}`)
  if (all.length > fields.length) told.push(`And ${all.length - fields.length} more.`)
  return new RequestError(code, told.join(' '), { fields })
}

// A request that is refused, with more to say than a code and a sentence.

import { AppError, type ErrorCode } from '../lib/errors.ts'

export interface FieldProblem {
  /** Such as body.settings.max_pages or query.limit. */
  field: string
  message: string
}

export interface RefusalDetails {
  fields?: readonly FieldProblem[]
  headers?: Record<string, string>
}

export class Refusal extends AppError {
  readonly fields: readonly FieldProblem[] | null
  readonly headers: Record<string, string>

  constructor(code: ErrorCode, message: string, { fields, headers = {} }: RefusalDetails) {
    super(code, message)
    this.fields = fields ?? null
    this.headers = headers
  }
}

/** Every bad field in one refusal, so that a form can show them all. */
export function refuseFields(code: ErrorCode, fields: readonly FieldProblem[]): Refusal {
  const told = fields.map(({ field, message }) => `${field}: ${message}`).join(' ')
  return new Refusal(code, told, { fields })
}

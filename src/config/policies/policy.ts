// A policy: settings of the operator for a host, or for all hosts that match a pattern, in every crawl. Rows have the
// same form in a file, the API and the CLI.

import { InvalidValue, positiveNumber, type SettingKind, wholeNumber } from '../setting-kinds.ts'
import { formatTimeSpan, timeSpan } from '../time-kinds.ts'
import { findHostPatternProblem } from './host-pattern.ts'

const DAY_MS = 86_400_000

/** Fields of a policy; null if the policy does not set the field. */
export interface PolicyFields {
  /** Multiplies the priority of the host's URLs. */
  weight: number | null
  /** Delay between two requests. */
  delayMs: number | null
  /** Requests in flight. */
  perHost: number | null
  /** Requests per second on average. */
  rate: number | null
  /** Requests that may be sent at once after a pause; 1 if null. */
  burst: number | null
  /** Limit per crawl. */
  maxPages: number | null
  recrawlMinMs: number | null
  recrawlMaxMs: number | null
}

export type PolicyField = keyof PolicyFields

export interface Policy extends PolicyFields {
  /** A host name, or a pattern with `*`. */
  host: string
}

/** A policy as written in a file: fields that are not set are absent. */
export type PolicyRow = { host: string } & Record<string, string | number>

interface FieldKind {
  field: PolicyField
  kind: SettingKind<number>
  help: string
  format?: (value: number) => string | number
}

function weightKind(): SettingKind<number> {
  const expected = new InvalidValue('a number from 0.1 to 10')
  const kind = positiveNumber(10)
  return {
    ...kind,
    schema: { type: 'number', minimum: 0.1, maximum: 10 },
    parse(raw) {
      const value = kind.parse(raw)
      return value instanceof InvalidValue || value < 0.1 ? expected : value
    },
  }
}

/** Kinds by name in a row, in the order of tables. */
export const POLICY_KINDS = {
  weight: { field: 'weight', kind: weightKind(), help: 'Multiplies the priority of the URLs, 0.1 to 10.' },
  delay: { field: 'delayMs', kind: wholeNumber(0, DAY_MS, 'MS'), help: 'Gap between requests to a host, in ms.' },
  per_host: { field: 'perHost', kind: wholeNumber(1, 1000), help: 'Maximum requests in flight per host.' },
  rate: { field: 'rate', kind: positiveNumber(1000), help: 'Maximum requests per second per host, on average.' },
  burst: {
    field: 'burst',
    kind: wholeNumber(1, 1000),
    help: 'Requests that may be sent at once after a pause (with rate).',
  },
  max_pages: { field: 'maxPages', kind: wholeNumber(1, 1_000_000), help: 'Maximum pages per host and crawl.' },
  recrawl_min: {
    field: 'recrawlMinMs',
    kind: timeSpan(),
    help: 'Shortest interval between visits of a URL.',
    format: formatTimeSpan,
  },
  recrawl_max: {
    field: 'recrawlMaxMs',
    kind: timeSpan(),
    help: 'Longest interval between visits of a URL.',
    format: formatTimeSpan,
  },
} as const satisfies Record<string, FieldKind>

export type PolicyFieldName = keyof typeof POLICY_KINDS
export const POLICY_FIELD_NAMES = Object.keys(POLICY_KINDS) as PolicyFieldName[]

export const EMPTY_POLICY: PolicyFields = {
  weight: null,
  delayMs: null,
  perHost: null,
  rate: null,
  burst: null,
  maxPages: null,
  recrawlMinMs: null,
  recrawlMaxMs: null,
}

export interface PolicyProblem {
  field: string
  message: string
}

/** Every problem of a row is named. */
export function parsePolicy(row: unknown): { policy: Policy } | { problems: PolicyProblem[] } {
  if (typeof row !== 'object' || row === null || Array.isArray(row))
    return { problems: [{ field: '', message: 'Expected an object with the name "host".' }] }
  const { host, ...values } = row as Record<string, unknown>
  const problems: PolicyProblem[] = []
  const pattern = typeof host === 'string' ? host.trim().toLowerCase() : ''
  const hostProblem = findHostPatternProblem(pattern)
  if (hostProblem !== null) problems.push({ field: 'host', message: hostProblem })
  const policy: Policy = { host: pattern, ...EMPTY_POLICY }
  let fields = 0
  for (const [name, raw] of Object.entries(values)) {
    const known = Object.hasOwn(POLICY_KINDS, name) ? POLICY_KINDS[name as PolicyFieldName] : undefined
    if (known === undefined) {
      problems.push({ field: name, message: `Unknown name. Expected one of ${POLICY_FIELD_NAMES.join(', ')}.` })
      continue
    }
    if (raw === null || raw === undefined) continue
    const value = known.kind.parse(raw)
    if (value instanceof InvalidValue) problems.push({ field: name, message: `Expected ${value.expected}.` })
    else policy[known.field] = value
    fields += 1
  }
  if (fields === 0 && problems.length === 0)
    problems.push({ field: 'host', message: `The policy sets nothing. Add one of ${POLICY_FIELD_NAMES.join(', ')}.` })
  problems.push(...findContradictions(policy))
  return problems.length > 0 ? { problems } : { policy }
}

function findContradictions({ rate, burst, recrawlMinMs, recrawlMaxMs }: Policy): PolicyProblem[] {
  const problems: PolicyProblem[] = []
  if (burst !== null && rate === null) problems.push({ field: 'burst', message: 'A burst needs a rate.' })
  if (recrawlMinMs !== null && recrawlMaxMs !== null && recrawlMinMs > recrawlMaxMs)
    problems.push({ field: 'recrawl_min', message: 'Must not be longer than recrawl_max.' })
  return problems
}

export function toPolicyRow(policy: Policy): PolicyRow {
  return { host: policy.host, ...toFieldRow(policy) }
}

/** The fields that are set, as in a file. */
export function toFieldRow(fields: PolicyFields): Partial<Record<PolicyFieldName, string | number>> {
  const row: Partial<Record<PolicyFieldName, string | number>> = {}
  for (const name of POLICY_FIELD_NAMES) {
    const { field, format }: FieldKind = POLICY_KINDS[name]
    const value = fields[field]
    if (value !== null) row[name] = format === undefined ? value : format(value)
  }
  return row
}

// A request for a crawl, checked as the command line checks its own: every problem with the field it is about.

import type { z } from 'zod'
import {
  type CrawlConfig,
  type CrawlSettingName,
  checkSettings,
  needsAdmin,
  toCrawlSettings,
} from '../../config/crawl-settings.ts'
import { newKeySeed } from '../../config/key-seed.ts'
import { type Config, fileKeyOf } from '../../config/schema.ts'
import { parseCustomHeader } from '../../config/values/custom-header.ts'
import { planCrawl } from '../../engine/crawl/plan/plan-crawl.ts'
import { type AddressGuard, buildAddressGuard } from '../../engine/fetch/address-guard.ts'
import { AppError } from '../../lib/errors.ts'
import { runWithTimeout } from '../../lib/run-with-timeout.ts'
import type { NewCrawl } from '../../ports/crawls.ts'
import type { NewCrawl as NewCrawlSchema } from '../contract/crawls.ts'
import type { Scope } from '../contract/route.ts'
import { type FieldProblem, invalidFieldsError } from './request-error.ts'
import { clampToLimits, findLimitProblems, type TokenLimits } from './token-limits.ts'

/** Matching thousands of long start URLs against the largest patterns would block all other requests. */
const MAX_PLAN_MS = 1000
const MAX_SITEMAPS = 20_000
const TOO_SLOW = 'It takes too long to compare all start urls with the patterns; write these simpler.'

export type CrawlRequest = z.output<typeof NewCrawlSchema>

export interface CheckedCrawlRequest {
  plan: NewCrawl | null
  problems: FieldProblem[]
  /** The first of the problems decides. */
  code: 'BAD_CONFIG' | 'BAD_SEED' | 'FORBIDDEN_SETTING'
}

export function checkCrawlRequest(request: CrawlRequest, config: Config, scope: Scope | null): CheckedCrawlRequest {
  const { values: checked, names, problems } = checkSettings(request.settings ?? {}, config)
  const values = dropServerHeaders(names, clampToLimits(names, { values: checked, limits: config, scope }), scope)
  const forbidden = findForbiddenSettings(names, { values, defaults: config, ceilings: config, scope })
  const bad = problems.map(({ field, message }) => ({ field: `settings.${field}`, message }))
  const ofSettings = [...bad, ...forbidden]
  const planned = planRequest(request, values)
  if (ofSettings.length === 0) return planned
  const code = bad.length === 0 && forbidden.length > 0 ? 'FORBIDDEN_SETTING' : 'BAD_CONFIG'
  return { plan: null, problems: [...ofSettings, ...planned.problems], code }
}

/**
 * The server's own headers may hold credentials, and a header without an origin goes to whatever start URL the request
 * names. Below admin, only headers that name their origin are inherited.
 */
function dropServerHeaders(names: readonly CrawlSettingName[], values: CrawlConfig, scope: Scope | null): CrawlConfig {
  if (scope === 'admin' || names.includes('header')) return values
  const header = values.header.filter((line) => !['start', 'any'].includes(parseCustomHeader(line)?.target ?? 'any'))
  return { ...values, header }
}

function planRequest(request: CrawlRequest, values: CrawlConfig): CheckedCrawlRequest {
  const urls = [...(request.url === undefined ? [] : [request.url]), ...(request.urls ?? [])]
  const settings = toCrawlSettings(values)
  const { sitemaps = [] } = request
  // Paths are looked for on every start host.
  const paths = sitemaps.filter((text) => text.startsWith('/')).length
  if (paths * urls.length > MAX_SITEMAPS) {
    const message = `${paths} paths on ${urls.length} start urls are more than ${MAX_SITEMAPS} sitemaps; name fewer.`
    return { plan: null, problems: [{ field: 'sitemaps', message }], code: 'BAD_SEED' }
  }
  try {
    const planned = runWithTimeout(MAX_PLAN_MS, () => planCrawl({ urls, sitemaps, settings, keySeed: newKeySeed() }))
    if (planned === null) {
      return { plan: null, problems: [{ field: 'settings.exclude', message: TOO_SLOW }], code: 'BAD_CONFIG' }
    }
    checkAddresses(planned.value)
    return { plan: planned.value, problems: [], code: 'BAD_CONFIG' }
  } catch (error) {
    if (!(error instanceof AppError) || (error.code !== 'BAD_SEED' && error.code !== 'BAD_CONFIG')) throw error
    const field = error.code === 'BAD_CONFIG' ? 'settings' : request.urls === undefined ? 'url' : 'urls'
    return { plan: null, problems: [{ field, message: error.message }], code: error.code }
  }
}

/** Settings in a body that is wrong in other ways too, so that all is named at once. */
export function findSettingProblems(body: unknown, config: Config): FieldProblem[] {
  const settings = isObject(body) ? body['settings'] : null
  if (!isObject(settings)) return []
  const { problems } = checkSettings(settings, config)
  return problems.map(({ field, message }) => ({ field: `body.settings.${field}`, message }))
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Reported now rather than by a crawl that reaches nothing. Names are resolved, and judged, when they are visited. */
function checkAddresses({ seeds, settings }: NewCrawl): void {
  const guard = buildAddressGuard(settings)
  const refused = seeds.find(({ url }) => !isAllowedHost(new URL(url).hostname, guard))
  if (refused === undefined) return
  const advice = 'allow_private lets all such addresses in, allow lets in those it names.'
  throw new AppError('BAD_SEED', `${refused.url} is not at a public address: ${advice}`)
}

/** As far as the name of a host tells. */
export function isAllowedHost(hostname: string, guard: AddressGuard): boolean {
  if (/(^|\.)localhost$/.test(hostname)) return guard.isAllowed('127.0.0.1', hostname)
  return guard.isAllowedLiteral(hostname)
}

export function requirePlan(checked: CheckedCrawlRequest): NewCrawl {
  if (checked.plan !== null) return checked.plan
  const problems = checked.problems.map(({ field, message }) => ({ field: `body.${field}`, message }))
  throw invalidFieldsError(checked.code, problems)
}

interface RequestedChanges {
  values: CrawlConfig
  defaults: CrawlConfig
  ceilings: TokenLimits
  scope: Scope | null
}

/** What the server allows by its own settings anybody may have. */
export function findForbiddenSettings(
  names: readonly CrawlSettingName[],
  { values, defaults, ceilings, scope }: RequestedChanges,
): FieldProblem[] {
  if (scope === 'admin') return []
  const lifted = names.filter(
    (name) => needsAdmin(name) && JSON.stringify(values[name]) !== JSON.stringify(defaults[name]),
  )
  const message = 'Only an admin may set this.'
  return [
    ...lifted.map((name) => ({ field: `settings.${fileKeyOf(name)}`, message })),
    ...findLimitProblems(names, { values, limits: ceilings, scope }),
  ]
}

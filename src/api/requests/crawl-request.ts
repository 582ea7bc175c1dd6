// Validates a crawl request like the command line validates its settings. Every problem names its field.

import type { z } from 'zod'
import {
  CRAWL_SETTINGS,
  type CrawlConfig,
  type CrawlSettingName,
  checkSettings,
  needsAdmin,
  restoreMasked,
  toCrawlSettings,
  toSettingsJson,
} from '../../config/crawl-settings.ts'
import { newKeySeed } from '../../config/key-seed.ts'
import { type Config, fileKeyOf } from '../../config/schema.ts'
import { ANY_ORIGIN, parseCustomHeader, START_ORIGINS } from '../../config/values/custom-header.ts'
import { chooseSchemes } from '../../engine/crawl/plan/choose-schemes.ts'
import { planCrawl } from '../../engine/crawl/plan/plan-crawl.ts'
import { lacksScheme, parseSeed, seedText } from '../../engine/crawl/plan/seeds.ts'
import { suggestUrls } from '../../engine/crawl/plan/suggest-urls.ts'
import { type AddressGuard, buildAddressGuard } from '../../engine/fetch/address-guard.ts'
import type { Fetcher } from '../../engine/fetch/fetch-result.ts'
import { AppError } from '../../lib/errors.ts'
import { runWithTimeout } from '../../lib/run-with-timeout.ts'
import type { CrawlSettings, NewCrawl } from '../../ports/crawls.ts'
import type { crawlRoutes, NewCrawl as NewCrawlSchema } from '../contract/crawls.ts'
import type { Scope } from '../contract/route.ts'
import { type FieldProblem, invalidFieldsError } from './request-error.ts'
import { clampToLimits, findLimitProblems, type TokenLimits } from './token-limits.ts'

/** Matching thousands of long start URLs against the largest patterns would block all other requests. */
const MAX_PLAN_MS = 1000
const MAX_SITEMAPS = 20_000
const TOO_SLOW = 'Matching all start URLs against the patterns takes too long. Use simpler patterns.'

export type CrawlRequest = z.output<typeof NewCrawlSchema>

export type CrawlProblem = z.output<typeof crawlRoutes.checkCrawl.response>['problems'][number]
type Fix = CrawlProblem['fixes'][number]

export interface CheckedCrawlRequest {
  newCrawl: NewCrawl | null
  problems: CrawlProblem[]
  /** The code of the first problem. */
  code: 'BAD_CONFIG' | 'BAD_SEED' | 'FORBIDDEN_SETTING'
}

/** `base` has the settings that the request does not name: of the server, or of the crawl that it is made from. */
export function checkCrawlRequest(
  request: CrawlRequest,
  config: Config,
  scope: Scope | null,
  base: CrawlConfig | null = null,
): CheckedCrawlRequest {
  const defaults = base ?? config
  const requested = request.settings ?? {}
  // Only admins may refer to a secret of the server by its masked header: secrets are sent to the start URLs of the
  // request.
  const restored = scope === 'admin' ? restoreMasked(requested, toCrawlSettings(defaults)) : requested
  const { values: checked, names: given, problems } = checkSettings(restored, defaults)
  const names = base === null ? given : CRAWL_SETTINGS
  const values = dropServerHeaders(names, clampToLimits(names, { values: checked, limits: config, scope }), scope)
  const forbidden = findForbiddenSettings(names, { values, defaults: config, limits: config, scope })
  const invalid = problems.map(({ field, message }) => ({ field: `settings.${field}`, message }))
  const settingProblems = [...invalid, ...forbidden].map(withoutFix)
  const planned = planRequest(request, values, scope)
  if (settingProblems.length === 0) return planned
  const code = invalid.length === 0 && forbidden.length > 0 ? 'FORBIDDEN_SETTING' : 'BAD_CONFIG'
  return { newCrawl: null, problems: [...settingProblems, ...planned.problems], code }
}

/** The settings of a crawl, for a new one. They may come from an older version that allowed more. */
export function reusedSettings(settings: CrawlSettings, config: Config): CrawlConfig {
  const { values, problems } = checkSettings(toSettingsJson(settings), config)
  if (problems.length > 0) throw invalidFieldsError('BAD_CONFIG', problems)
  return values
}

/** Checks a request, and again once its start URLs have the schemes that connect. */
export async function planWithSchemes(
  request: CrawlRequest,
  check: (request: CrawlRequest) => NewCrawl | Promise<NewCrawl>,
  { openFetcher }: { openFetcher(settings: CrawlSettings, startUrls: readonly string[]): Promise<Fetcher> },
): Promise<NewCrawl> {
  const newCrawl = await check(request)
  const complete = await addSchemes(request, () => openFetcher(newCrawl.settings, []))
  return complete === request ? newCrawl : check(complete)
}

/** Returns the same object if no URL lacks a scheme. */
async function addSchemes(request: CrawlRequest, openFetcher: () => Promise<Fetcher>): Promise<CrawlRequest> {
  const { url, urls, ...rest } = request
  const given = [...(url === undefined ? [] : [url]), ...(urls ?? [])]
  if (!given.some(lacksScheme)) return request
  return { ...rest, urls: (await chooseSchemes(given, openFetcher)).map(seedText) }
}

/**
 * The server's own headers may hold credentials, and a header without an origin goes to whatever start URL the request
 * names. Below admin, only headers that name their origin are inherited.
 */
function dropServerHeaders(names: readonly CrawlSettingName[], values: CrawlConfig, scope: Scope | null): CrawlConfig {
  if (scope === 'admin' || names.includes('header')) return values
  const isWithoutOrigin = (line: string) =>
    [START_ORIGINS, ANY_ORIGIN].includes(parseCustomHeader(line)?.target ?? ANY_ORIGIN)
  const header = values.header.filter((line) => !isWithoutOrigin(line))
  return { ...values, header }
}

function planRequest(request: CrawlRequest, values: CrawlConfig, scope: Scope | null): CheckedCrawlRequest {
  const urls = [...(request.url === undefined ? [] : [request.url]), ...(request.urls ?? [])]
  const settings = toCrawlSettings(values)
  const { sitemaps = [] } = request
  const seedField = request.urls === undefined ? 'url' : 'urls'
  // A path applies to every start host.
  const paths = sitemaps.filter((text) => text.startsWith('/')).length
  if (paths * urls.length > MAX_SITEMAPS) {
    const message = `${paths} paths on ${urls.length} start URLs give more than ${MAX_SITEMAPS} sitemaps. Use fewer.`
    return { newCrawl: null, problems: [{ field: 'sitemaps', message, fixes: [] }], code: 'BAD_SEED' }
  }
  try {
    const plan = () => planCrawl({ urls, sitemaps, settings, keySeed: newKeySeed() })
    // Without patterns the time is bounded by the size of the request, and a busy machine is no reason to reject it.
    const hasPatterns = settings.include.length + settings.exclude.length > 0
    const planned = hasPatterns ? runWithTimeout(MAX_PLAN_MS, plan) : { value: plan() }
    if (planned === null) {
      const problem = { field: 'settings.exclude', message: TOO_SLOW, fixes: [] }
      return { newCrawl: null, problems: [problem], code: 'BAD_CONFIG' }
    }
    if (scope !== 'admin' && planned.value.settings.auth.length > settings.auth.length) {
      const problem = { field: seedField, message: 'Only an admin token may use credentials.', fixes: [] }
      return { newCrawl: null, problems: [problem], code: 'FORBIDDEN_SETTING' }
    }
    const blocked = findBlockedSeed(planned.value)
    if (blocked === null) return { newCrawl: planned.value, problems: [], code: 'BAD_CONFIG' }
    const fixes: Fix[] = scope === 'admin' ? [{ kind: 'allow', address: blocked.address }] : []
    return { newCrawl: null, problems: [{ field: seedField, message: blocked.message, fixes }], code: 'BAD_SEED' }
  } catch (error) {
    if (!(error instanceof AppError) || (error.code !== 'BAD_SEED' && error.code !== 'BAD_CONFIG')) throw error
    const field = error.code === 'BAD_CONFIG' ? 'settings' : seedField
    const fixes = error.code === 'BAD_SEED' ? suggestFixes(urls) : []
    return { newCrawl: null, problems: [{ field, message: error.message, fixes }], code: error.code }
  }
}

/** The probably intended URL for the first start URL that cannot be crawled. */
function suggestFixes(urls: readonly string[]): Fix[] {
  const given = urls.find((text) => 'problem' in parseSeed(text.trim()))
  return given === undefined ? [] : suggestUrls(given).map((url) => ({ kind: 'use_url', given, url }))
}

function withoutFix(problem: FieldProblem): CrawlProblem {
  return { ...problem, fixes: [] }
}

/** A crawl that renders needs a browser. */
export async function addRenderProblem(
  checked: CheckedCrawlRequest,
  { findRenderProblem }: { findRenderProblem: () => Promise<string | null> },
): Promise<CheckedCrawlRequest> {
  if (checked.newCrawl === null || checked.newCrawl.settings.render === 'off') return checked
  const message = await findRenderProblem()
  if (message === null) return checked
  return { newCrawl: null, problems: [{ field: 'settings.render', message, fixes: [] }], code: 'BAD_CONFIG' }
}

/** Checks the settings of a body that is known to be invalid, so that all problems are reported at once. */
export function findSettingProblems(body: unknown, config: Config): FieldProblem[] {
  const settings = isObject(body) ? body['settings'] : null
  if (!isObject(settings)) return []
  const { problems } = checkSettings(settings, config)
  return problems.map(({ field, message }) => ({ field: `body.settings.${field}`, message }))
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A seed that the crawl could not reach. Host names are resolved and checked only when they are visited. */
function findBlockedSeed({ seeds, settings }: NewCrawl): { address: string; message: string } | null {
  const guard = buildAddressGuard(settings)
  const blocked = seeds.find(({ url }) => !isAllowedHost(new URL(url).hostname, guard))
  if (blocked === undefined) return null
  const advice = 'Allow all private addresses with allow_private, or single ones with allow.'
  const address = new URL(blocked.url).hostname.replace(/^\[|\]$/g, '')
  return { address, message: `The address of ${blocked.url} is not public. ${advice}` }
}

/** Judges a host by its name alone, without resolving it. */
export function isAllowedHost(hostname: string, guard: AddressGuard): boolean {
  if (/(^|\.)localhost$/.test(hostname)) return guard.isAllowed('127.0.0.1', hostname)
  return guard.isNameOrAllowedAddress(hostname)
}

export function requireNewCrawl(checked: CheckedCrawlRequest): NewCrawl {
  if (checked.newCrawl !== null) return checked.newCrawl
  const problems = checked.problems.map(({ field, message }) => ({ field: `body.${field}`, message }))
  throw invalidFieldsError(checked.code, problems)
}

interface RequestedChanges {
  values: CrawlConfig
  defaults: CrawlConfig
  limits: TokenLimits
  scope: Scope | null
}

/** Values that equal the server's own settings are always allowed. */
export function findForbiddenSettings(
  names: readonly CrawlSettingName[],
  { values, defaults, limits, scope }: RequestedChanges,
): FieldProblem[] {
  if (scope === 'admin') return []
  const adminOnly = names.filter(
    (name) => needsAdmin(name) && JSON.stringify(values[name]) !== JSON.stringify(defaults[name]),
  )
  const message = 'Only an admin token may set this.'
  return [
    ...adminOnly.map((name) => ({ field: `settings.${fileKeyOf(name)}`, message })),
    ...findLimitProblems(names, { values, limits, scope }),
  ]
}

// The settings of a run: names and defaults of this API, overridden by the environment and the request, and their
// conversion to native settings and back.

import { z } from 'zod'
import { type CrawlConfig, checkSettings } from '../../config/crawl-settings.ts'
import { AppError } from '../../lib/errors.ts'
import type { CrawlSettings } from '../../ports/crawls.ts'
import { FETCH_VARIABLES, isSet, RUN_VARIABLES, WORKER_CONCURRENCY } from './environment.ts'

const DAY_MS = 86_400_000

const SHAPE = {
  maxPages: z.int().min(1).max(1e12),
  maxDepth: z.int().min(0).max(65_000),
  scopeMode: z.enum(['same_host', 'same_domain']),
  includeDocuments: z.boolean(),
  followRedirects: z.boolean(),
  demoDelayMs: z.int().min(0).max(DAY_MS),
  requestTimeoutMs: z.int().min(1).max(DAY_MS),
  maxRetries: z.int().min(0).max(100),
}

export const RunConfig = z.strictObject(SHAPE)
export type RunConfig = z.output<typeof RunConfig>

/** Sent by older clients. They are settings of the process, so they are accepted and ignored. */
const IGNORED_SETTINGS = {
  workerConcurrency: z.unknown(),
  fetchConcurrency: z.unknown(),
  fetchPerHostConcurrency: z.unknown(),
}
export const RunSettings = RunConfig.extend(IGNORED_SETTINGS).partial()

const DEFAULTS: RunConfig = {
  maxPages: 5000,
  maxDepth: 25,
  scopeMode: 'same_host',
  includeDocuments: false,
  followRedirects: true,
  demoDelayMs: 0,
  requestTimeoutMs: 5000,
  maxRetries: 2,
}

const VARIABLES: Record<keyof RunConfig, string> = RUN_VARIABLES

export interface RunDefaults {
  config: RunConfig
  /** Native settings. */
  fetchSettings: Record<string, unknown>
}

/** Throws an error that lists every bad value. */
export function readRunDefaults(env: Record<string, string | undefined>, config: CrawlConfig): RunDefaults {
  const problems: string[] = []
  const values: Record<string, unknown> = {}
  for (const key of Object.keys(VARIABLES) as (keyof RunConfig)[]) {
    const variable = VARIABLES[key]
    const text = env[variable]
    if (!isSet(text)) continue
    const result = SHAPE[key].safeParse(parseVariable(key, text))
    if (result.success) values[key] = result.data
    else problems.push(`${variable}=${text}: ${result.error.issues.map(({ message }) => message).join(', ')}.`)
  }
  const fetchSettings: Record<string, unknown> = {}
  for (const [name, variable] of Object.entries(FETCH_VARIABLES)) {
    const text = env[variable]
    if (isSet(text)) fetchSettings[name] = text
  }
  const urlsAtATime = env[WORKER_CONCURRENCY]
  if (isSet(urlsAtATime)) {
    const { problems: bad } = checkSettings({ concurrency: urlsAtATime }, config)
    problems.push(...bad.map(({ message }) => `${WORKER_CONCURRENCY}: ${message}`))
    fetchSettings['concurrency'] = lowerOf(urlsAtATime, fetchSettings['concurrency'])
  }
  for (const { field, message } of checkSettings(fetchSettings, config).problems) {
    problems.push(`${FETCH_VARIABLES[field] ?? field}: ${message}`)
  }
  if (problems.length > 0)
    throw new AppError('BAD_CONFIG', `Environment variables have invalid values. ${problems.join(' ')}`)
  return { config: { ...DEFAULTS, ...values }, fetchSettings }
}

/** A text that is no number is reported elsewhere. */
function lowerOf(text: string, other: unknown): string {
  return typeof other === 'string' && !(Number(text) < Number(other)) ? other : text
}

const SWITCH: Record<string, boolean> = { '1': true, true: true, '0': false, false: false }

function parseVariable(key: keyof RunConfig, text: string): unknown {
  if (key === 'scopeMode') return text
  return typeof DEFAULTS[key] === 'boolean' ? (SWITCH[text.toLowerCase()] ?? text) : Number(text)
}

export function mergeRunConfig(requested: z.output<typeof RunSettings>, { config }: RunDefaults): RunConfig {
  const merged: Record<string, unknown> = {}
  for (const key of Object.keys(SHAPE) as (keyof RunConfig)[]) merged[key] = requested[key] ?? config[key]
  return merged as RunConfig
}

/** A run follows links only, not sitemaps, and does not strip session ids from queries. */
export function toNativeSettings(config: RunConfig, { fetchSettings }: RunDefaults): Record<string, unknown> {
  const { demoDelayMs } = config
  return {
    max_pages: config.maxPages,
    depth: config.maxDepth,
    scope: config.scopeMode === 'same_host' ? 'host' : 'domain',
    documents: config.includeDocuments,
    follow_redirects: config.followRedirects,
    timeout: config.requestTimeoutMs,
    retries: config.maxRetries,
    sitemaps: false,
    keep_session_ids: true,
    ...(demoDelayMs === 0 ? {} : { max_rate: 1000 / demoDelayMs }),
    ...fetchSettings,
  }
}

/** Works for any crawl; a crawl that was not created by this API may have other scopes and no limits. */
export function toRunConfig(settings: CrawlSettings): Record<keyof RunConfig, number | string | boolean | null> {
  const { scope, maxRate } = settings
  return {
    maxPages: settings.maxPages,
    maxDepth: settings.maxDepth,
    scopeMode: scope === 'host' ? 'same_host' : scope === 'domain' ? 'same_domain' : scope,
    includeDocuments: settings.documents,
    followRedirects: settings.followRedirects,
    demoDelayMs: maxRate === null ? 0 : Math.round(1000 / maxRate),
    requestTimeoutMs: settings.timeoutMs,
    maxRetries: settings.retries,
  }
}

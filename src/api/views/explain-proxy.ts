// Explains which way the requests for a URL take.

import { matchesHost } from '../../config/policies/host-pattern.ts'
import { parseProxyEntry } from '../../config/values/proxy-entry.ts'
import { buildProxyRoutes } from '../../engine/fetch/proxy/proxy-routes.ts'
import type { ExplainRequest, ExplanationStep } from './explain-url.ts'

/** Empty for a crawl without proxies. Names of proxies contain no user and password. */
export function explainProxy({ url, host, row, progress: { crawl } }: ExplainRequest): ExplanationStep[] {
  const { proxies } = crawl.settings
  if (proxies.length === 0) return []
  // The environment of the worker that sends the request is unknown here.
  const group = buildProxyRoutes(proxies, {})?.(new URL(url).origin) ?? null
  const names = group?.proxies.map(({ server }) => server.name) ?? []
  const route = describeRoute(names, mayUseEnvironment(proxies, host))
  const detail = `${route}${row?.visitedAt == null ? '' : ` ${describeVisit(row.proxy)}`}`
  return [{ step: 'proxy', outcome: 'passed', detail }]
}

function describeRoute(names: readonly string[], mayUseEnvironment: boolean): string {
  if (names.length > 1) return `It is requested through the proxies ${names.join(', ')}, which take turns.`
  if (names.length === 1) return `It is requested through the proxy ${names[0]}.`
  return mayUseEnvironment
    ? "It is requested through the proxy that the worker's environment names for it, or directly if that names none."
    : 'It is requested directly, without a proxy.'
}

function describeVisit(proxy: string | null): string {
  return proxy === null ? 'Its last visit was direct.' : `Its last visit went through ${proxy}.`
}

function mayUseEnvironment(proxies: readonly string[], host: string): boolean {
  const entries = proxies.flatMap((line) => parseProxyEntry(line) ?? [])
  const hasPattern = entries.some((entry) => entry.host !== null && matchesHost(entry.host, host))
  return !hasPattern && entries.some(({ via }) => via === 'env')
}

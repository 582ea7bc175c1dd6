// Start URLs without a scheme: https, or http if only that connects.

import { ROBOTS_LIMITS } from '../../fetch/fetch-limits.ts'
import type { Fetcher, FetchProblem, FetchResult } from '../../fetch/fetch-result.ts'
import { lacksScheme, type SeedInput, seedText } from './seeds.ts'

/** If more hosts lack a scheme, the others get https. */
const MAX_PROBES = 20
/** Problems of https that http would have too. */
const FAILS_OVER_HTTP_TOO = new Set<FetchProblem>(['dns_failed', 'address_blocked', 'port_blocked', 'proxy_failed'])

/** Opens a fetcher only if a scheme is missing. It requests robots.txt, the first request of every crawl. */
export async function chooseSchemes(
  seeds: readonly SeedInput[],
  openFetcher: () => Promise<Fetcher>,
): Promise<SeedInput[]> {
  const hosts = [...new Set(seeds.map(seedText).filter(lacksScheme).map(hostOf))].slice(0, MAX_PROBES)
  if (hosts.length === 0) return [...seeds]
  const fetcher = await openFetcher()
  try {
    const isPlain = await Promise.all(hosts.map((host) => connectsOnlyByHttp(host, fetcher)))
    const plainHosts = new Set(hosts.filter((_, i) => isPlain[i]))
    return seeds.map((seed) => {
      const text = seedText(seed)
      if (!lacksScheme(text) || !plainHosts.has(hostOf(text))) return seed
      return typeof seed === 'string' ? `http://${text}` : { ...seed, text: `http://${text}` }
    })
  } finally {
    await fetcher.close()
  }
}

function hostOf(text: string): string {
  return text.split(/[/?#]/, 1)[0] ?? ''
}

async function connectsOnlyByHttp(host: string, fetcher: Fetcher): Promise<boolean> {
  const probe = (scheme: string) =>
    new Promise<FetchResult>((resolve) => fetcher.fetch(`${scheme}://${host}/robots.txt`, resolve, ROBOTS_LIMITS))
  const secure = await probe('https')
  if (secure.kind !== 'failure' || FAILS_OVER_HTTP_TOO.has(secure.problem)) return false
  return (await probe('http')).kind === 'response'
}

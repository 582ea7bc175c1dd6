// Turns seeds as people write them into canonical URLs.

import { AppError } from '../../../lib/errors.ts'
import { redactLink } from '../../../lib/redact.ts'
import type { FoundUrl, UrlKind } from '../../../ports/visits.ts'
import { type InvalidUrlReason, type NormalisedUrl, normaliseUrl } from '../../url/normalise-url.ts'
import { urlKey } from '../../url/url-key.ts'

const PROBLEM_TEXT: Record<InvalidUrlReason, string> = {
  malformed: 'it is not a URL',
  scheme: 'only http and https can be crawled',
  credentials: 'URLs with a user name or password are not crawled',
  too_long: 'it is longer than 2,048 characters',
}

/** A seed from the command line, or from a file, with its place in it. */
export type SeedInput = string | { text: string; place: string }

export function seedText(seed: SeedInput): string {
  return (typeof seed === 'string' ? seed : seed.text).trim()
}

/** A host as people type it: example.com/path, localhost:8080. A single word is more often a mistake. */
export function lacksScheme(text: string): boolean {
  return /^([\p{L}\p{N}_-]+(\.[\p{L}\p{N}_-]+)+\.?|localhost)(:\d+)?([/?#].*)?$/u.test(text)
}

/** A URL as people type it, in its canonical form. */
export function parseSeed(text: string, keepHashRoutes = false): NormalisedUrl {
  return normaliseUrl(lacksScheme(text) ? `https://${text}` : text, undefined, keepHashRoutes)
}

/** Deduplicates the seeds. One invalid seed rejects all: a crawl that silently lacks a seed is worse than none. */
export function toSeeds(texts: readonly SeedInput[], keySeed: number, keepHashRoutes = false): FoundUrl[] {
  const seeds = new Map<string, FoundUrl>()
  for (const seed of texts) {
    const text = seedText(seed)
    const result = parseSeed(text, keepHashRoutes)
    if ('problem' in result) {
      const where = typeof seed === 'string' ? '' : `${seed.place}: `
      throw new AppError(
        'BAD_SEED',
        `${where}"${redactLink(text)}" cannot be crawled: ${PROBLEM_TEXT[result.problem]}.`,
      )
    }
    seeds.set(result.url, toFoundUrl(result, keySeed, 'page'))
  }
  return [...seeds.values()]
}

/** A sitemap is given as a URL, or as a path that is tried on the host of every seed. */
export function toSitemapSeeds(texts: readonly string[], seeds: readonly FoundUrl[], keySeed: number): FoundUrl[] {
  const sitemaps = new Map<string, FoundUrl>()
  for (const text of texts) {
    const bases = text.startsWith('/') ? seeds.map((seed) => seed.url) : [undefined]
    if (bases.length === 0) throw new AppError('BAD_SEED', `The sitemap "${text}" is a path: give a start URL as well.`)
    for (const base of bases) {
      const result = normaliseUrl(text, base)
      if ('problem' in result) {
        const message = `The sitemap "${redactLink(text)}" cannot be read: ${PROBLEM_TEXT[result.problem]}.`
        throw new AppError('BAD_SEED', message)
      }
      sitemaps.set(result.url, toFoundUrl(result, keySeed, 'sitemap'))
    }
  }
  return [...sitemaps.values()]
}

function toFoundUrl({ url, host }: { url: string; host: string }, keySeed: number, kind: UrlKind): FoundUrl {
  return { url, host, key: urlKey(url, keySeed), kind, isRefresh: false, listing: null }
}

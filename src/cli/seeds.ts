// Start urls from the command line and from a seed file (one per line with # comments, or a JSON array).

import { randomInt } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { urlKey } from '../engine/url/key.ts'
import { normaliseUrl, type UrlProblem } from '../engine/url/normalise.ts'
import { AppError } from '../lib/errors.ts'
import type { FoundUrl, UrlKind } from '../ports/frontier.ts'

const WHY: Record<UrlProblem, string> = {
  malformed: 'it is not a url',
  scheme: 'only http and https can be crawled',
  credentials: 'urls with a user name or password are not crawled',
  too_long: 'it is longer than 2,048 characters',
}

/** As written on the command line, or in a file, which then says where. */
export type SeedText = string | { text: string; place: string }

export async function readSeedFile(path: string, stdin: Readable): Promise<SeedText[]> {
  let content: string
  try {
    content = path === '-' ? await text(stdin) : await readFile(path, 'utf8')
  } catch (cause) {
    throw new AppError('FILE_UNREADABLE', `The seed file ${path} cannot be read.`, { cause })
  }
  content = content.replace(/^\uFEFF/, '')
  const seeds = content.trimStart().startsWith('[') ? parseJsonSeeds(content, path) : parseLines(content, path)
  if (seeds.length === 0) throw new AppError('BAD_SEED', `The seed file ${path} holds no urls.`)
  return seeds
}

function parseLines(content: string, path: string): SeedText[] {
  return content
    .split(/\r?\n/)
    .map((line, i) => ({ text: line.trim(), place: `${path}, line ${i + 1}` }))
    .filter(({ text }) => text !== '' && !text.startsWith('#'))
}

function parseJsonSeeds(content: string, path: string): SeedText[] {
  let parsed: unknown
  try {
    parsed = JSON.parse(content)
  } catch (cause) {
    throw new AppError('BAD_SEED', `The seed file ${path} begins like a JSON array but is not valid JSON.`, { cause })
  }
  if (Array.isArray(parsed) && parsed.every((entry) => typeof entry === 'string')) {
    return parsed.map((text, i) => ({ text, place: `${path}, entry ${i + 1}` }))
  }
  throw new AppError('BAD_SEED', `The seed file ${path} must be a JSON array of strings.`)
}

export function newKeySeed(): number {
  return randomInt(2 ** 32)
}

/** Canonical, each once. One bad seed stops all: a crawl that silently misses a start url is worse than none. */
export function toSeeds(texts: readonly SeedText[], keySeed: number): FoundUrl[] {
  const seeds = new Map<string, FoundUrl>()
  for (const seed of texts) {
    const { text, place } = typeof seed === 'string' ? { text: seed, place: null } : seed
    const result = normaliseUrl(text)
    if ('problem' in result) {
      const where = place === null ? '' : `${place}: `
      const hint = suggestScheme(text)
      throw new AppError('BAD_SEED', `${where}"${text}" cannot be crawled: ${WHY[result.problem]}.${hint}`)
    }
    seeds.set(result.url, foundSeed(result, keySeed, 'page'))
  }
  return [...seeds.values()]
}

/** A sitemap is named by its url, or by a path that every start host may have. */
export function toSitemaps(texts: string[], seeds: FoundUrl[], keySeed: number): FoundUrl[] {
  const sitemaps = new Map<string, FoundUrl>()
  for (const text of texts) {
    const bases = text.startsWith('/') ? seeds.map((seed) => seed.url) : [undefined]
    if (bases.length === 0) throw new AppError('BAD_SEED', `The sitemap "${text}" is a path: name a start url as well.`)
    for (const base of bases) {
      const result = normaliseUrl(text, base)
      if ('problem' in result) {
        throw new AppError('BAD_SEED', `The sitemap "${text}" cannot be read: ${WHY[result.problem]}.`)
      }
      sitemaps.set(result.url, foundSeed(result, keySeed, 'sitemap'))
    }
  }
  return [...sitemaps.values()]
}

function foundSeed({ url, host }: { url: string; host: string }, keySeed: number, kind: UrlKind): FoundUrl {
  return { url, host, key: urlKey(url, keySeed), kind, isSuspect: false, listing: null }
}

function suggestScheme(seed: string): string {
  const looksLikeHost = /^[\w-]+(\.[\w-]+)+(:\d+)?([/?#].*)?$/.test(seed) || /^localhost(:\d+)?/.test(seed)
  return looksLikeHost ? ` Did you mean https://${seed}?` : ''
}

// Compares the URLs of two JSON exports of runs; exit code 1 if they differ:
// node scripts/compare-crawl-exports.ts a.json b.json

import { readFileSync } from 'node:fs'
import { errorMessage, readArguments } from './api.ts'

const SHOWN = 20

function urlsOf(file: string): Set<string> {
  const { urls } = JSON.parse(readFileSync(file, 'utf8')) as { urls?: { normalized_url?: string }[] }
  if (!Array.isArray(urls)) throw new Error(`${file} is not an export of a run: it has no URLs.`)
  return new Set(urls.flatMap(({ normalized_url }) => normalized_url ?? []))
}

function tell(title: string, urls: Set<string>): void {
  console.log(`${title}: ${urls.size}`)
  for (const url of [...urls].sort().slice(0, SHOWN)) console.log(`  ${url}`)
  if (urls.size > SHOWN) console.log(`  and ${urls.size - SHOWN} more`)
}

const [first = '', second = ''] = readArguments(2, 'compare-crawl-exports <a.json> <b.json>')
try {
  const [a, b] = [urlsOf(first), urlsOf(second)]
  console.log(`${a.size} URLs in ${first}, ${b.size} in ${second}`)
  tell('only in the first', a.difference(b))
  tell('only in the second', b.difference(a))
  if (a.symmetricDifference(b).size > 0) process.exitCode = 1
} catch (error) {
  console.error(errorMessage(error))
  process.exitCode = 2
}

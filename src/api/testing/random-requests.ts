// Generates random requests from the contract, with nearly valid and with hostile values.

import type { z } from 'zod'
import { z as zod } from 'zod'
import type { SeededRandom } from '../../lib/seeded-random.ts'
import { PATHS, type RouteName } from '../contract/paths.ts'
import type { Route } from '../contract/route.ts'
import { ROUTES } from '../contract/routes.ts'

export interface RandomRequest {
  method: string
  path: string
  headers: Record<string, string>
  body: string | null
}

/** Existing ids, so that requests get past the first check. */
export interface KnownIds {
  crawlIds: string[]
  urlIds: number[]
}

type Json = Record<string, unknown>

const ODD_VALUES: unknown[] = [
  '',
  ' ',
  'a',
  '%',
  '_',
  "'",
  '"; drop table urls',
  '../../etc/passwd',
  '\u0000',
  '\ud800',
  '\u{1f577}',
  'null',
  '0',
  '-1',
  '1e309',
  'NaN',
  '9007199254740993',
  '99999999999999999999',
  'true',
  '[]',
  '{}',
  'a'.repeat(5000),
  0,
  -1,
  0.5,
  1e21,
  true,
  false,
  null,
  [],
  {},
  ['a'],
  { a: { b: 1 } },
  2 ** 53,
  'http://a.test/',
  '(a+)+$',
  '[',
]

export function randomRequest(name: RouteName, seededRandom: SeededRandom, knownIds: KnownIds): RandomRequest {
  const route: Route = ROUTES[name]
  const [method = '', pattern = ''] = PATHS[name].split(' ')
  const path = pattern.replace(/\{(\w+)\}/g, (_, key: string) =>
    encodeURIComponent(paramFor(key, seededRandom, knownIds)),
  )
  const query = route.query === undefined ? '' : queryFor(route.query, seededRandom, knownIds)
  const body = route.body === undefined || seededRandom.chance(0.1) ? null : bodyFor(route.body, seededRandom)
  const headers: Record<string, string> = body === null ? {} : { 'content-type': 'application/json' }
  if (seededRandom.chance(0.1)) headers['idempotency-key'] = String(seededRandom.below(3))
  if (seededRandom.chance(0.1)) headers['if-none-match'] = '*'
  return { method: seededRandom.chance(0.05) ? 'PATCH' : method, path: `${path}${query}`, headers, body }
}

function paramFor(key: string, seededRandom: SeededRandom, knownIds: KnownIds): string {
  if (key === 'crawl_id' && seededRandom.chance(0.8)) return seededRandom.pick(knownIds.crawlIds)
  if (key === 'url_id' && seededRandom.chance(0.7)) return String(seededRandom.pick(knownIds.urlIds))
  if (key === 'page_id' && seededRandom.chance(0.7)) return String(1 + seededRandom.below(20))
  const text = String(seededRandom.pick(ODD_VALUES))
  // An empty segment would be a different path, and a lone surrogate cannot be encoded.
  return text === '' || !text.isWellFormed() ? 'x' : text
}

function queryFor(schema: z.ZodObject, seededRandom: SeededRandom, knownIds: KnownIds): string {
  const { properties = {} } = zod.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as {
    properties?: Record<string, Json>
  }
  const query = new URLSearchParams()
  for (const [key, inner] of Object.entries(properties)) {
    if (seededRandom.chance(0.4)) continue
    const value = key === 'a' || key === 'b' ? seededRandom.pick(knownIds.crawlIds) : valueFor(inner, seededRandom)
    query.append(key, typeof value === 'object' ? JSON.stringify(value) : String(value))
  }
  if (seededRandom.chance(0.05)) query.append('unknown', '1')
  return query.size === 0 ? '' : `?${query}`
}

function bodyFor(schema: z.ZodType, seededRandom: SeededRandom): string {
  if (seededRandom.chance(0.05)) return '{"a":'
  return JSON.stringify(
    valueFor(zod.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Json, seededRandom),
  )
}

const SETTINGS = ['max_pages', 'depth', 'delay', 'include', 'exclude', 'archive_max', 'user_agent', 'scope', 'keep']

function valueFor(schema: Json, seededRandom: SeededRandom): unknown {
  if (seededRandom.chance(0.2)) return seededRandom.pick(ODD_VALUES)
  if (Array.isArray(schema['enum'])) return seededRandom.pick(schema['enum'] as unknown[])
  if (Array.isArray(schema['anyOf'])) return valueFor(seededRandom.pick(schema['anyOf'] as Json[]), seededRandom)
  switch (schema['type']) {
    case 'object': {
      const properties = (schema['properties'] ?? {}) as Record<string, Json>
      const chosen = Object.entries(properties).filter(() => seededRandom.chance(0.8))
      const values = chosen.map(([key, inner]) => [key, valueFor(inner, seededRandom)])
      const isOpen = Object.keys(properties).length === 0
      const extra =
        isOpen || seededRandom.chance(0.05) ? [[seededRandom.pick(SETTINGS), seededRandom.pick(ODD_VALUES)]] : []
      return Object.fromEntries([...values, ...extra])
    }
    case 'array':
      return Array.from({ length: seededRandom.below(3) }, () =>
        valueFor((schema['items'] ?? {}) as Json, seededRandom),
      )
    case 'integer':
    case 'number':
      return seededRandom.below(200)
    case 'boolean':
      return seededRandom.chance(0.5)
    default:
      return seededRandom.chance(0.5) ? 'http://a.test/' : String(seededRandom.pick(ODD_VALUES))
  }
}

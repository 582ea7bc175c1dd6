// robots.txt: any bytes yield rules, and each decision equals that of trying every rule of the parsed file in turn.

import assert from 'node:assert/strict'
import { compileRobots, decideRobots } from '../../../src/engine/robots/compile-robots.ts'
import { interpretRobotsResponse } from '../../../src/engine/robots/interpret-response.ts'
import { escapeQuery, normalisePath } from '../../../src/engine/robots/octets.ts'
import { parseRobots, type RobotsFile, type RobotsRule } from '../../../src/engine/robots/parse-robots.ts'
import type { SeededRandom } from '../../../src/lib/seeded-random.ts'
import { ROBOTS_CORPUS, ROBOTS_TOKENS, writePath, writeRobotsFile } from '../corpus/robots.ts'
import { type FuzzTarget, pureTarget } from '../fuzz-target.ts'
import { makeInputWriter, randomTokens } from '../input-writer.ts'

/** Products with the user agent tokens that match them, most specific first. */
const PRODUCTS: readonly [name: string, tokens: string[]][] = [
  ['Orbweaver/0.1 (+https://example.com)', ['orbweaver', '*']],
  ['foo-bar', ['foo-bar', 'foo', '*']],
  ['', ['*']],
]
const PATHS = ['/', '/robots.txt', '/a/b?c=d/e', '/%7euser/é', 'no-slash', '', '/a*b$', `/${'a'.repeat(100)}`]
/** With more rules the slow reference takes too long. */
const MAX_RULES = 200
const MAX_CHARACTERS = 300

export const robotsTarget: FuzzTarget = pureTarget(
  'robots',
  makeInputWriter({
    corpus: ROBOTS_CORPUS,
    tokens: ROBOTS_TOKENS,
    grammars: [randomTokens(ROBOTS_TOKENS), writeRobotsFile, writeRobotsFile],
    maxBytes: 256 * 1024,
  }),
  check,
)

function check(input: Buffer, seededRandom: SeededRandom): void {
  const file = parseRobots(input)
  checkFile(file, input)
  const [product, tokens] = seededRandom.pick(PRODUCTS)
  const compiled = compileRobots(file, product)
  const { crawlDelayMs } = compiled
  assert.ok(crawlDelayMs === null || (crawlDelayMs >= 0 && Number.isFinite(crawlDelayMs)))
  for (const path of pathsFor(file, input, seededRandom)) {
    const decision = compiled.decide(path)
    assert.deepEqual(compiled.decide(path), decision, 'decides the same twice')
    assert.deepEqual(decideRobots(file, product, path), decision)
    const normal = normalisePath(path)
    assert.equal(normalisePath(normal), normal, 'normalising twice changes nothing')
    const rules = rulesFor(file, tokens)
    if (rules.length > MAX_RULES || normal.length > MAX_CHARACTERS) continue
    const best = normal === '/robots.txt' ? null : bestOf(rules, normal)
    assert.deepEqual([decision.allowed, decision.rule?.line ?? null], [best?.allow ?? true, best?.line ?? null])
  }
}

function checkFile(file: RobotsFile, input: Buffer): void {
  assert.equal(interpretRobotsResponse({ status: 200, body: input }).kind, input.length === 0 ? 'allow_all' : 'rules')
  for (const { products, rules } of file.groups) {
    assert.ok(products.length > 0)
    for (const { line, pattern } of rules) assert.ok(line > 0 && line <= input.length + 1 && pattern !== '')
  }
  assert.ok(file.sitemaps.every((url) => url !== ''))
}

/** Paths, some of which the rules refer to. */
function pathsFor(file: RobotsFile, input: Buffer, seededRandom: SeededRandom): string[] {
  const rules = file.groups.flatMap((group) => group.rules)
  const start = seededRandom.below(input.length + 1)
  const paths = [
    seededRandom.pick(PATHS),
    writePath(seededRandom),
    writePath(seededRandom),
    `/${input.toString('utf8', start, start + seededRandom.below(60))}`,
  ]
  for (let i = 0; i < 3 && rules.length > 0; i++) {
    const { pattern } = seededRandom.pick(rules)
    paths.push(
      pattern.replaceAll('*', () => seededRandom.pick(['', 'x', '/?', pattern.slice(0, 5)])).replace(/\$$/, ''),
    )
  }
  return paths
}

function rulesFor(file: RobotsFile, tokens: string[]): RobotsRule[] {
  const groupsOf = (token: string) => file.groups.filter(({ products }) => products.some((one) => one.token === token))
  const token = tokens.find((one) => groupsOf(one).length > 0)
  return token === undefined ? [] : groupsOf(token).flatMap(({ rules }) => rules)
}

function bestOf(rules: RobotsRule[], path: string): RobotsRule | null {
  let best: RobotsRule | null = null
  for (const rule of rules)
    if (isMatch(rule.pattern, path) && (best === null || takesPrecedence(rule, best))) best = rule
  return best
}

function takesPrecedence(rule: RobotsRule, other: RobotsRule): boolean {
  const longer = escapeQuery(rule.pattern).length - escapeQuery(other.pattern).length
  if (longer !== 0) return longer > 0
  return rule.allow === other.allow ? rule.line < other.line : rule.allow
}

/** In a query, a slash and a question mark equal their escapes. */
function isMatch(pattern: string, path: string): boolean {
  const escaped = escapeQuery(pattern)
  return matchesPattern(pattern, path) || (/\?.*%(?:2F|3F)/.test(escaped) && matchesPattern(escaped, escapeQuery(path)))
}

/** Tracks all positions of the path that the pattern may have reached. */
function matchesPattern(pattern: string, path: string): boolean {
  const isAnchored = pattern.endsWith('$')
  let positions = [0]
  for (const character of isAnchored ? pattern.slice(0, -1) : pattern) {
    const [first = path.length + 1] = positions
    if (character !== '*') positions = positions.filter((at) => path[at] === character).map((at) => at + 1)
    else positions = Array.from({ length: path.length + 1 - first }, (_, n) => first + n)
  }
  return isAnchored ? positions.at(-1) === path.length : positions.length > 0
}

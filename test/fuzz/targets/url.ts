// URLs: normalisation, both ways to resolve a link, session ids, URL patterns and keys.

import assert from 'node:assert/strict'
import { LinkResolver } from '../../../src/engine/url/link-resolver.ts'
import { MAX_URL_LENGTH, normaliseUrl } from '../../../src/engine/url/normalise-url.ts'
import { stripSessionIds } from '../../../src/engine/url/session-ids.ts'
import { hashOrigin, hashPath, lanesToKey, pathStart, urlKey } from '../../../src/engine/url/url-key.ts'
import { DEFAULT_URL_SHAPE_LIMITS, findUrlShapeProblem } from '../../../src/engine/url/url-shape.ts'
import type { SeededRandom } from '../../../src/lib/seeded-random.ts'
import type { FuzzTarget } from '../fuzz-target.ts'
import { makeInputWriter, randomTokens } from '../input-writer.ts'

const BASES = [
  'http://example.com/',
  'http://example.com/a/b.html?q=/x/../y',
  'https://example.com:8443/dir/',
  'http://[2001:db8::1]/a',
  'http://127.0.0.1:8080/x?y',
  'http://example.com//a//b',
  'http://example.com/(S(lit3py55t21z5v55vlm25s55))/a;jsessionid=1/b?PHPSESSID=2',
]

const CORPUS = [
  ...BASES,
  'HTTP://User:Pass@EXAMPLE.com:80/%7euser/./a/../b;v=1?x=1&y=%2f#top',
  '//bücher.example/日本?q=é',
  '../../up/./down//',
  '?page=2&sid=0123456789abcdef0123456789abcdef',
  'https://xn--bcher-kva.example/a%20b%C3%A9',
  '/a/b/a/b/a/b/2024/10/10/10?CFID=1&CFTOKEN=2&osCsid=h3k29fj20dk4mz81qp5xv7bn6c',
  'http://0x7f.1/..%2f',
  'mailto:someone@example.com',
]

const TOKENS = [
  '/',
  '//',
  '.',
  '..',
  '/./',
  '/../',
  '?',
  '#',
  ':',
  '@',
  '\\',
  '%',
  '%2e',
  '%2E%2e',
  '%00',
  ' ',
  '\t',
  '\n',
  '&',
  'http:',
  'https:',
  'HTTP://',
  'http://example.com',
  ':80',
  ':443',
  ':99999',
  'javascript:',
  'data:',
  'file:///',
  'a',
  'index.html',
  'B',
  '~x',
  'a=1&b=2',
  'é',
  '日本',
  '😀',
  "'",
  '"',
  '<',
  '>',
  '^',
  '`',
  '{',
  '|',
  '}',
  '[',
  ']',
  '!',
  '$',
  '(',
  ')',
  '*',
  '+',
  ',',
  ';',
  '=',
  '-',
  '_',
  '\0',
  '\x7f',
  '\u200d',
  'ß',
  '。',
  '．',
  '\u00ad',
  '1',
  ';jsessionid=',
  ';JSESSIONID=a1!b2',
  'PHPSESSID=',
  'CFID=1',
  'CFTOKEN=2',
  'sid=',
  'zenid=',
  's=',
  '(S(lit3py55t21z5v55vlm25s55))',
  'ASPSESSIONIDABCDEFGH=',
  '0123456789abcdef',
  '[::1]',
  '127.1',
  'xn--',
  'x--',
]

/** Keys that are remembered, to find URLs that share one. */
const MAX_KEYS = 200_000
const SEED = 7

export const urlTarget: FuzzTarget = {
  name: 'url',
  concurrency: 1,
  shrinks: true,
  write: makeInputWriter({ corpus: CORPUS, tokens: TOKENS, grammars: [randomTokens(TOKENS)], maxBytes: 64 * 1024 }),
  async open() {
    const urls = new Map<bigint, string>()
    return {
      check: (input, seededRandom) => check(readText(input, seededRandom), seededRandom, urls),
      notes: () => [],
      close: async () => undefined,
    }
  },
}

/** Sometimes as UTF-16, to get lone surrogates. */
function readText(input: Buffer, seededRandom: SeededRandom): string {
  return input.toString(seededRandom.chance(0.1) ? 'utf16le' : 'utf8')
}

function check(text: string, seededRandom: SeededRandom, urls: Map<bigint, string>): void {
  const target = normaliseUrl(text)
  if ('url' in target) {
    checkCanonical(target)
    checkKey(target.url, urls)
    checkResolving(target.url, text)
  }
  checkResolving(seededRandom.pick(BASES), text)
}

function checkCanonical({ url, host }: { url: string; host: string }): void {
  const parsed = new URL(url)
  assert.deepEqual([parsed.href, parsed.host], [url, host], 'a normal URL parses to itself')
  assert.deepEqual(normaliseUrl(url), { url, host }, 'normalising twice changes nothing')
  assert.equal(url.slice(0, pathStart(url)), parsed.origin)
  assert.match(url, /^https?:\/\/[!-~]+$/, 'is ASCII')
  assert.ok(url.length <= MAX_URL_LENGTH && !url.includes('#'))
  const dropped = stripSessionIds(url)
  assert.equal(stripSessionIds(dropped), dropped, 'stripping session ids twice changes nothing')
  assert.deepEqual(normaliseUrl(dropped), { url: dropped, host }, 'a URL without session ids is normal')
  assert.equal(parsed.origin + stripSessionIds(url.slice(pathStart(url))), dropped)
  checkShape(parsed)
}

function checkShape({ href, pathname, search }: URL): void {
  const segments = pathname === '/' ? 0 : pathname.replace(/(?!^)\/$/, '').split('/').length - 1
  const parameters = search === '' ? 0 : search.split('&').length
  const { maxPathSegments, maxQueryParams } = DEFAULT_URL_SHAPE_LIMITS
  const problem = findUrlShapeProblem(href, DEFAULT_URL_SHAPE_LIMITS)
  assert.equal(problem === 'path_too_deep', segments > maxPathSegments, `${segments} segments`)
  if (problem !== 'path_too_deep') {
    assert.equal(problem === 'too_many_parameters', parameters > maxQueryParams, `${parameters} parameters`)
  }
  const many = { maxPathSegments: MAX_URL_LENGTH, maxQueryParams: MAX_URL_LENGTH, maxRepeats: MAX_URL_LENGTH }
  assert.equal(findUrlShapeProblem(href, many), null)
}

function checkKey(url: string, urls: Map<bigint, string>): void {
  const key = urlKey(url, SEED)
  const lanes = { hi: 0, lo: 0 }
  hashOrigin(url.slice(0, pathStart(url)), SEED, lanes)
  hashPath(url.slice(pathStart(url)), lanes, lanes)
  assert.equal(lanesToKey(lanes), key, 'both ways to compute the key agree')
  assert.equal(urls.get(key) ?? url, url, 'two URLs do not share a key')
  if (urls.size < MAX_KEYS) urls.set(key, url)
}

function checkResolving(base: string, href: string): void {
  for (const keepSessionIds of [true, false]) {
    const linkResolver = new LinkResolver(base, keepSessionIds)
    const path = linkResolver.resolvePlain(href)
    const exact = linkResolver.resolveExact(href)
    if (exact === null) {
      assert.ok(path === null && (href === '' || href.startsWith('#')))
      continue
    }
    const expected = normaliseUrl(href, base)
    if ('url' in expected && !keepSessionIds) expected.url = stripSessionIds(expected.url)
    assert.deepEqual(exact, expected)
    if (path !== null)
      assert.deepEqual(
        { url: linkResolver.origin + path, host: linkResolver.host },
        exact,
        'both ways to resolve a link agree',
      )
  }
}

// A crawl with --requisites, killed with SIGKILL again and again, finds exactly what the model of its site contains:
// pages of one host, and their images, styles, fonts and scripts on two, each once, as far as robots.txt and --exclude
// allow.

import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { seededRandom } from '../../src/lib/seeded-random.ts'
import { type PlainResponse, servePlainSite } from '../sites/plain-site.ts'
import { FAST_FLAGS, makeTemporaryFolder, type Program, parseSummary, startProgram } from '../testing/program.ts'
import { exportRows, runInProcess } from '../testing/run-in-process.ts'
import { waitUntil } from '../testing/wait-until.ts'
import { crawlPlainSite } from './testing/plain-crawl.ts'

const PAGES = 60
const KILLS = 6
/** Levels of style sheets, each of which imports the next one. */
const LEVELS = 14
/** A gap of 10 ms, and robots.txt is obeyed. */
const FLAGS = [...FAST_FLAGS.filter((flag) => flag !== '--ignore-robots'), '--delay', '10', '--no-sitemaps']

/** Placeholder for the origin of the other host, whose port is not known yet. */
const OTHER = 'http://other.test'

const STYLE = { 'content-type': 'text/css' }
const IMAGE = { 'content-type': 'image/png' }

interface Expected {
  kind: 'page' | 'requisite'
  state: string
  depth: number
}

/** Page n links to 2n+1 and 2n+2, so that its depth is known. */
const depthOf = (page: number) => Math.floor(Math.log2(page + 1))
const pageUrl = (page: number) => (page === 0 ? '/' : `/page/${page}`)

/** The site, and the expected result of a crawl by path; paths of the other host start with two slashes. */
function makeModel(seed: number) {
  const random = seededRandom(seed)
  const expected = new Map<string, Expected>()
  const responses = new Map<string, PlainResponse>()
  const add = (path: string, found: Expected, response: PlainResponse) => {
    expected.set(path, found)
    responses.set(path, response)
  }
  const requisite = (state = 'visited'): Expected => ({ kind: 'requisite', state, depth: 0 })
  add('//main.css', requisite(), { headers: STYLE, body: '@import "more.css"; b { src: url(/font.woff2) }' })
  add('//more.css', requisite(), {
    headers: STYLE,
    body: '@import url(main.css); @import "level-3.css"; i { background: url("/bg.png?a=1&b=2") }',
  })
  for (let level = 3; level <= LEVELS; level++)
    add(`//level-${level}.css`, requisite(), { headers: STYLE, body: `@import "level-${level + 1}.css"` })
  add(`//level-${LEVELS + 1}.css`, requisite('redirected'), { status: 302, headers: { location: '/last.css' } })
  add('//last.css', requisite(), { headers: STYLE, body: '' })
  add('//font.woff2', requisite(), { headers: { 'content-type': 'font/woff2' }, body: 'font' })
  add('//bg.png?a=1&b=2', requisite(), { headers: IMAGE, body: 'png' })
  add('//private/secret.png', requisite('excluded'), { headers: IMAGE, body: 'secret' })
  add('/app.js', requisite(), { headers: { 'content-type': 'text/javascript' }, body: 'fetch("/never")' })
  add('/gone.png', requisite('not_found'), { status: 404 })
  add('/moved.png', requisite('redirected'), { status: 302, headers: { location: '/big.png' } })
  add('/big.png', requisite(), { headers: IMAGE, body: 'big' })
  // HTML that is loaded as an image is not read.
  add('/frame.html', requisite(), { body: '<a href=/from-frame>x</a><img src=/in-frame.png>' })
  // Page 5 links to it, so it is a page, in whatever order the URLs are found.
  add('/linked.html', { kind: 'page', state: 'visited', depth: depthOf(5) + 1 }, { body: '<a href=/page/7>7</a>' })
  for (let page = 0; page < PAGES; page++) {
    const children = [2 * page + 1, 2 * page + 2].filter((child) => child < PAGES)
    const own = [`/own/${page}.png`, ...(random.next() < 0.5 ? [`//other/${page}.png`] : [])]
    for (const path of own) add(path, requisite(), { headers: IMAGE, body: `image of ${page}` })
    const shared = ['/gone.png', '/moved.png', '/frame.html', '/linked.html', '/ads/banner.png', '//private/secret.png']
    const images = [...own, ...shared].map((path) => `<img src="${href(path)}">`)
    const links = [...children.map(pageUrl), ...(page === 5 ? ['/linked.html'] : [])].map(
      (path) => `<a href="${path}">x</a>`,
    )
    const head = `<title>${page}</title><link rel=stylesheet href="${href('//main.css')}"><script src=/app.js></script>`
    const body = `${head}${links.join('')}${images.join('')}`
    add(pageUrl(page), { kind: 'page', state: 'visited', depth: depthOf(page) }, { body })
  }
  return { expected, responses }
}

function href(path: string): string {
  return path.startsWith('//') ? `${OTHER}${path.slice(1)}` : path
}

describe('a crawl with --requisites', () => {
  it(`finds every requisite once, although it is killed ${KILLS} times`, async (t) => {
    const { expected, responses } = makeModel(7)
    const other = await servePlainSite(t, (path) =>
      path === '/robots.txt'
        ? { headers: { 'content-type': 'text/plain' }, body: 'User-agent: *\nDisallow: /private/\nSitemap: /map.xml' }
        : (responses.get(`/${path}`) ?? null),
    )
    const site = await servePlainSite(t, (path) => {
      const { body, ...response } = responses.get(path) ?? { status: 404 }
      return { ...response, body: String(body ?? '').replaceAll(OTHER, other.origin) }
    })
    const data = join(makeTemporaryFolder(t), 'data')
    const random = seededRandom(1)
    const requests = () => site.requests.length + other.requests.length
    let program: Program = startProgram([
      'crawl',
      `${site.origin}/`,
      '--data',
      data,
      ...FLAGS,
      '--requisites',
      '--exclude',
      '/ads/',
      '--threads',
      '2',
    ])
    for (let kills = 0; kills < KILLS; kills++) {
      const before = requests()
      await Promise.race([waitUntil(() => requests() >= before + 8, { pollMs: 5 }), program.ended])
      await sleep(random.next() * 50)
      program.child.kill('SIGKILL')
      const { signal } = await program.ended
      assert.equal(signal, 'SIGKILL', 'the crawl ended before it was killed often enough')
      program = startProgram(['resume', '--data', data, '--json'])
    }
    const result = await program.ended
    assert.equal(result.code, 0, result.stderr)
    const { crawl_id: crawlId } = parseSummary(result)
    const rows = await exportRows(data, crawlId)
    const found = rows.map(({ url, kind, state, depth }) => {
      const path = url.startsWith(site.origin) ? url.slice(site.origin.length) : `/${url.slice(other.origin.length)}`
      return [path, { kind, state, depth }] as const
    })
    assert.equal(new Set(found.map(([path]) => path)).size, found.length)
    assert.deepEqual(Object.fromEntries(found.toSorted(byPath)), Object.fromEntries([...expected].toSorted(byPath)))
    const asked = new Set([...site.paths(), ...other.paths().map((path) => `/${path}`)])
    for (const never of [
      '/ads/banner.png',
      '//private/secret.png',
      '//map.xml',
      '/from-frame',
      '/in-frame.png',
      '/never',
    ])
      assert.ok(!asked.has(never), `${never} was requested`)
    for (const command of [
      ['verify', crawlId],
      ['archive', 'verify'],
    ]) {
      const checked = await runInProcess([...command, '--data', data])
      assert.equal(checked.code, 0, checked.stdout + checked.stderr)
    }
    const archived = await runInProcess([
      'export',
      crawlId,
      '--format',
      'warc',
      '--out',
      '/dev/null',
      '--force',
      '--data',
      data,
    ])
    assert.equal(archived.code, 0, archived.stderr)
  })
})

it('with --max-pages, requisites that are linked as well are visited', async (t) => {
  const images = [1, 2, 3, 4].map((n) => `/${n}.png`)
  const links = images.map((path) => `<a href=${path}><img src=${path}></a>`).join('')
  const site = await servePlainSite(t, (path) => {
    return path.endsWith('.png') ? { headers: IMAGE, body: path } : { body: `<a href=/next>next</a>${links}` }
  })
  const { rows } = await crawlPlainSite(t, site, [...FLAGS, '--requisites', '--max-pages', '2'])
  const pages = [...rows.values()].filter(({ kind, state }) => kind === 'page' && state === 'visited')
  assert.equal(pages.length, 2)
  for (const path of images) assert.equal(rows.get(path)?.state, 'visited', path)
})

function byPath([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1
}

// A small site with a www variant: each of its pages is crawled once, however it is linked.

import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { it } from 'node:test'
import { FAST_FLAGS, makeTemporaryFolder, parseSummary, runProgram } from '../testing/program.ts'
import { exportRows } from '../testing/run-in-process.ts'

it('a host and its www variant are one site; other hosts, subdomains or not, are out of scope', async (t) => {
  const requested: string[] = []
  const server = createServer(({ headers: { host }, url = '' }, response) => {
    requested.push(`${host}${url}`)
    const links = pages[`${host}${url}`]
    response.writeHead(links === undefined ? 404 : 200, { 'content-type': 'text/html' })
    response.end(links?.map((link) => `<a href="${link}">x</a>`).join(''))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => server.close())
  const { port } = server.address() as AddressInfo
  const [bare, www, other] = ['site', 'www.site', 'shop.site'].map((name) => `${name}.localhost:${port}`)
  const pages: Record<string, string[]> = {
    [`${bare}/`]: ['/', '/a', '/a#top', `http://${www}/`, `http://${other}/`, 'http://site.test/'],
    [`${bare}/a`]: ['/', '/a', '/gone', `http://${www}/a`],
    [`${www}/`]: [`http://${bare}/`, '/only-here'],
    [`${www}/a`]: [`http://${bare}/a`],
    [`${www}/only-here`]: [],
    [`${other}/`]: [],
  }
  const data = join(makeTemporaryFolder(t), 'data')
  const crawled = await runProgram(['crawl', `http://${bare}/`, '--data', data, ...FAST_FLAGS])
  assert.equal(crawled.code, 0, crawled.stderr)
  const rows = await exportRows(data, parseSummary(crawled).crawl_id)
  assert.deepEqual(
    new Map(rows.map(({ url, state }) => [url, state])),
    new Map([
      [`http://${bare}/`, 'visited'],
      [`http://${bare}/a`, 'visited'],
      [`http://${bare}/gone`, 'not_found'],
      [`http://${www}/`, 'visited'],
      [`http://${www}/a`, 'visited'],
      [`http://${www}/only-here`, 'visited'],
    ]),
  )
  assert.equal(requested.length, rows.length)
})

import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { it } from 'node:test'
import type { FetchResult } from './fetch-result.ts'
import { ANONYMOUS } from './headers.ts'
import { getResponse, openClient, serveHttp } from './testing/test-client.ts'

const sha = (text: string) => createHash('sha256').update(text).digest('hex')

/** Checks a header by itself, as a server does. */
function isRight(header: string, nonce: string, url: string): boolean {
  const given = Object.fromEntries([...header.matchAll(/(\w+)="?([^",]*)"?/g)].map(([, name, value]) => [name, value]))
  const expected = [sha('me:r:secret'), nonce, given['nc'], given['cnonce'], 'auth', sha(`GET:${url}`)].join(':')
  return given['nonce'] === nonce && given['uri'] === url && given['response'] === sha(expected)
}

it('a challenge is answered with SHA-256, a stale nonce replaced, and nobody else gets an answer', async (t) => {
  let nonce = 'one'
  const seen: string[] = []
  const site = await serveHttp(t, ({ url = '', headers }, response) => {
    const { authorization = '' } = headers
    const isAllowed = isRight(authorization, nonce, url)
    seen.push(`${url} ${authorization === '' ? 'none' : isAllowed ? 'right' : 'wrong'}`)
    if (isAllowed) return void response.end('welcome')
    const stale = authorization === '' ? '' : ', stale=true'
    const challenge = `Digest realm="r", nonce="${nonce}", qop="auth", algorithm=SHA-256${stale}`
    response.writeHead(401, { 'www-authenticate': ['Basic realm="r"', challenge] }).end()
  })
  const client = openClient(t, { auth: [`${site.origin}=digest me:secret`] })
  const statusOf = async (path: string) => (await getResponse(client, `${site.origin}${path}`)).status
  assert.deepEqual([await statusOf('/a?b=c'), await statusOf('/d')], [200, 200])
  nonce = 'two'
  assert.equal(await statusOf('/e'), 200)
  assert.deepEqual(seen, ['/a?b=c none', '/a?b=c right', '/d right', '/e wrong', '/e right'])

  seen.length = 0
  const anonymous = new Promise<FetchResult>((resolve) => {
    client.fetch(`${site.origin}/f`, resolve, undefined, undefined, null, [ANONYMOUS])
  })
  assert.equal((await anonymous).kind, 'response')
  assert.equal((await getResponse(client, `http://localhost:${site.port}/g`)).status, 401)
  assert.deepEqual(seen, ['/f none', '/g none'])
})

it('a server that calls every nonce stale is asked three times', async (t) => {
  let asked = 0
  const site = await serveHttp(t, (_request, response) => {
    asked += 1
    const challenge = `Digest realm="r", nonce="${asked}", qop="auth", stale=true`
    response.writeHead(401, { 'www-authenticate': challenge }).end()
  })
  const client = openClient(t, { auth: [`${site.origin}=digest me:secret`] })
  assert.equal((await getResponse(client, `${site.origin}/`)).status, 401)
  assert.equal(asked, 3)
})

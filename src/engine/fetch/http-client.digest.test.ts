import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { it } from 'node:test'
import type { FetchResult } from './fetch-result.ts'
import { ANONYMOUS } from './headers.ts'
import { getResponse, openClient, serveHttp } from './testing/test-client.ts'

const sha = (text: string) => createHash('sha256').update(text).digest('hex')

/** An independent check of the header, as a server does it. */
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

it('a request that is sent again waits for its turn, is counted, and is not sent after its lease', async (t) => {
  const seen: string[] = []
  const site = await serveHttp(t, ({ url = '', headers }, response) => {
    const { authorization = '' } = headers
    seen.push(url)
    if (isRight(authorization, 'one', url)) return void response.end('welcome')
    const challenge = 'Digest realm="r", nonce="one", qop="auth", algorithm=SHA-256'
    response.writeHead(401, { 'www-authenticate': challenge }).end()
  })
  const open = () => openClient(t, { auth: [`${site.origin}=digest me:secret`] })
  const turns: number[] = []
  const waiting = (endDeadline: number, waitMs: number) => ({
    endDeadline,
    takeTurn(now: number) {
      turns.push(now + waitMs)
      return now + waitMs
    },
  })
  const fetch = (client: ReturnType<typeof open>, endDeadline: number, waitMs = 60) =>
    new Promise<FetchResult>((resolve) => {
      client.fetch(`${site.origin}/`, resolve, undefined, waiting(endDeadline, waitMs))
    })
  const result = await fetch(open(), Number.POSITIVE_INFINITY)
  assert.ok(result.kind === 'response' && result.status === 200)
  assert.equal(result.resent?.sent, 2)
  assert.ok(result.resent.at >= (turns[0] ?? 0), 'it was sent before its turn')
  assert.equal(seen.length, 2)

  const late = await fetch(open(), Date.now() + 1500, 1800)
  assert.deepEqual([late.kind === 'failure' && late.problem, late.resent?.sent], ['lease_lapsed', 1])
  const stopped = open()
  const ended = fetch(stopped, Number.POSITIVE_INFINITY)
  while (turns.length < 3) await new Promise(setImmediate)
  stopped.stopResending()
  const dropped = await ended
  assert.deepEqual([dropped.kind === 'failure' && dropped.problem, dropped.resent?.sent], ['lease_lapsed', 1])
  assert.equal((await fetch(stopped, Number.POSITIVE_INFINITY)).kind, 'response', 'it has the nonce')
  const closed = open()
  const last = fetch(closed, Number.POSITIVE_INFINITY)
  while (turns.length < 4) await new Promise(setImmediate)
  await closed.close()
  assert.equal((await last).kind, 'failure')
  assert.equal(seen.length, 6)
})

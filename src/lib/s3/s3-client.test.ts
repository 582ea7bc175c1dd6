// Responses that a real server does not send on request. What S3 itself does is tested on a real server: test/engines.

import assert from 'node:assert/strict'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { S3Client } from './s3-client.ts'
import { S3Error } from './s3-error.ts'

const ENV = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'very-secret', HOME: '/nonexistent' }

/** Each request gets the next response; the last one is repeated. */
async function openClient(t: TestContext, ...responses: ((response: ServerResponse) => void)[]) {
  let requests = 0
  const server = createServer((request, response) => {
    request.resume()
    const respond = responses[Math.min(requests, responses.length - 1)]
    requests += 1
    respond?.(response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const client = new S3Client(
    { bucket: 'pages', prefix: 'a/', endpoint, region: 'x', style: null, isReadOnly: false },
    ENV,
  )
  t.after(() => {
    client.close()
    server.close()
  })
  return { client, count: () => requests, server }
}

const error = (status: number, code: string) => (response: ServerResponse) =>
  void response.writeHead(status).end(`<Error><Code>${code}</Code><Message>${code} happened</Message></Error>`)
const partial = (text: string) => (response: ServerResponse) => void response.writeHead(206).end(text)

async function failureOf(promise: Promise<unknown>): Promise<S3Error> {
  const thrown = await promise.then(
    () => null,
    (reason: unknown) => reason,
  )
  assert.ok(thrown instanceof S3Error)
  assert.doesNotMatch(thrown.message, /very-secret/)
  return thrown
}

test('a read is repeated after a failure of the server or of the connection', async (t) => {
  const { client, count } = await openClient(t, error(503, 'SlowDown'), (r) => r.destroy(), partial('abc'))
  assert.equal(String(await client.read('k', 5, 3)), 'abc')
  assert.equal(count(), 3)
})

test('a server that stays away is reported after three attempts', async (t) => {
  const { client, count } = await openClient(t, error(500, 'InternalError'))
  assert.equal((await failureOf(client.read('k', 0, 1))).failure, 'away')
  assert.equal(count(), 3)
})

test('a refusal is not repeated, and the message has the words of the server', async (t) => {
  const { client, count } = await openClient(t, error(403, 'SignatureDoesNotMatch'))
  const refused = await failureOf(client.check())
  assert.equal(refused.failure, 'refused')
  assert.match(
    refused.message,
    /^GET s3:\/\/pages\/a\/: status 403, SignatureDoesNotMatch: SignatureDoesNotMatch happened$/,
  )
  assert.equal(count(), 1)
})

test('a missing object is not a missing bucket', async (t) => {
  const { client } = await openClient(t, error(404, 'NoSuchKey'), error(404, 'NoSuchBucket'))
  assert.equal((await failureOf(client.read('k', 0, 1))).failure, 'missing')
  assert.equal((await failureOf(client.read('k', 0, 1))).failure, 'refused')
})

test('a response that is cut off is not taken for a short object', async (t) => {
  const cut = (response: ServerResponse) => {
    response.writeHead(206, { 'content-length': '10' }).write('abc', () => response.destroy())
  }
  const { client } = await openClient(t, cut)
  assert.equal((await failureOf(client.read('k', 0, 10))).failure, 'away')
})

test('a range that the server ignores is cut out of its response', async (t) => {
  const { client } = await openClient(t, (response) => void response.writeHead(200).end('0123456789'))
  assert.equal(String(await client.read('k', 3, 4)), '3456')
})

test('a read behind the end of an object has no bytes', async (t) => {
  const { client } = await openClient(t, error(416, 'InvalidRange'))
  assert.equal((await client.read('k', 99, 4)).length, 0)
})

test('a list is read to its last page', async (t) => {
  const page = (key: string, more: string) => (response: ServerResponse) =>
    void response.end(
      `<L>${more}<Contents><Key>a/${key}</Key><LastModified>2026-01-02T00:00:00.000Z</LastModified><Size>7</Size></Contents></L>`,
    )
  const first = '<IsTruncated>true</IsTruncated><NextContinuationToken>t</NextContinuationToken>'
  const { client } = await openClient(t, page('x&amp;y', first), page('z', '<IsTruncated>false</IsTruncated>'))
  const keys = await Array.fromAsync(client.list())
  assert.deepEqual(
    keys.map(({ key, bytes }) => `${key} ${bytes}`),
    ['x&y 7', 'z 7'],
  )
})

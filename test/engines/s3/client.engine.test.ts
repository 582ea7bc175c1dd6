// The S3 client on a real server.

import assert from 'node:assert/strict'
import { hash, randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { parseS3Url } from '../../../src/lib/s3/location.ts'
import { S3Client } from '../../../src/lib/s3/s3-client.ts'
import { S3Error } from '../../../src/lib/s3/s3-error.ts'
import { makeTemporaryFolder } from '../../testing/program.ts'
import { S3_ENVIRONMENT, type S3Server, startS3Server } from './s3-server.ts'

describe('the S3 client', () => {
  let server: S3Server
  const cleanups: (() => unknown)[] = []
  before(async () => {
    server = await startS3Server({ after: (cleanUp) => cleanups.push(cleanUp) })
  })
  after(async () => {
    for (const cleanUp of cleanups) await cleanUp()
  })

  const open = (url = server.makeBucket(), env: Record<string, string> = {}) => {
    const location = parseS3Url(url)
    assert.ok(location !== null)
    const client = new S3Client(location, { ...S3_ENVIRONMENT, ...env })
    cleanups.push(() => client.close())
    return client
  }

  it('reads ranges of what it wrote, and its size', async (t) => {
    const client = open()
    const bytes = randomBytes(3_000_000)
    const path = join(makeTemporaryFolder(t), 'file')
    writeFileSync(path, bytes)
    await client.put('large', { path, bytes: bytes.length, sha256: hash('sha256', bytes, 'hex') })
    await client.put('small', Buffer.from('small'))
    assert.equal(await client.sizeOf('large'), 3_000_000)
    assert.ok((await client.read('large', 1_234_567, 1000)).equals(bytes.subarray(1_234_567, 1_235_567)))
    assert.equal(String(await client.read('small', 3, 100)), 'll')
    assert.equal((await client.read('small', 5, 1)).length, 0)
    assert.equal(String(await client.readAll('small')), 'small')
  })

  it('writes nothing if the bytes differ from their checksum', async (t) => {
    const client = open()
    const path = join(makeTemporaryFolder(t), 'file')
    writeFileSync(path, 'abd')
    await assert.rejects(client.put('x', { path, bytes: 3, sha256: hash('sha256', 'abc', 'hex') }), S3Error)
    assert.equal(await client.sizeOf('x'), null)
  })

  it('lists more objects than fit into one response, in order', async () => {
    const client = open()
    const names = Array.from({ length: 1005 }, (_, i) => `object-${String(i).padStart(4, '0')}`)
    for (let i = 0; i < names.length; i += 15)
      await Promise.all(names.slice(i, i + 15).map((name) => client.put(name, Buffer.from('x'))))
    const listed = await Array.fromAsync(client.list())
    assert.deepEqual(
      listed.map(({ key }) => key),
      names,
    )
    assert.ok(listed.every(({ bytes, modifiedAt }) => bytes === 1 && Math.abs(Date.now() - modifiedAt) < 600_000))
  })

  it('deletes objects, also those that are gone', async () => {
    const client = open()
    await client.put('x', Buffer.from('x'))
    await client.delete('x')
    await client.delete('x')
    assert.deepEqual(await Array.fromAsync(client.list()), [])
    await assert.rejects(client.read('x', 0, 1), { failure: 'missing' })
  })

  it('says what the server refuses, without the secret', async () => {
    const url = server.makeBucket()
    await assert.rejects(open(url, { AWS_SECRET_ACCESS_KEY: 'another' }).check(), {
      failure: 'refused',
      serverCode: 'SignatureDoesNotMatch',
    })
    await assert.rejects(open(url.replace('pages-', 'no-pages-')).check(), { serverCode: 'NoSuchBucket' })
  })
})

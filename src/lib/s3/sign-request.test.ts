// The examples of https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html

import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { test } from 'node:test'
import { EMPTY_SHA256, encodePath, signRequest, type UnsignedRequest } from './sign-request.ts'

const CONTEXT = {
  credentials: {
    accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
    secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
    sessionToken: null,
  },
  region: 'us-east-1',
  now: Date.UTC(2013, 4, 24),
}
const HOST = 'examplebucket.s3.amazonaws.com'

function signatureOf(request: Partial<UnsignedRequest>): string | undefined {
  const headers = { host: HOST, 'x-amz-content-sha256': EMPTY_SHA256, ...request.headers }
  const { authorization } = signRequest({ method: 'GET', path: '/', query: {}, ...request, headers }, CONTEXT)
  return /Signature=(\w+)$/.exec(authorization ?? '')?.[1]
}

test('a ranged GET is signed as in the documentation of S3', () => {
  const signature = signatureOf({ path: '/test.txt', headers: { range: 'bytes=0-9' } })
  assert.equal(signature, 'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41')
})

test('a PUT with a payload and an escaped key is signed as in the documentation of S3', () => {
  const headers = {
    date: 'Fri, 24 May 2013 00:00:00 GMT',
    'x-amz-storage-class': 'REDUCED_REDUNDANCY',
    'x-amz-content-sha256': hash('sha256', 'Welcome to Amazon S3.', 'hex'),
  }
  const signature = signatureOf({ method: 'PUT', path: encodePath('/test$file.text'), headers })
  assert.equal(signature, '98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd')
})

test('query parameters are signed as in the documentation of S3', () => {
  assert.equal(
    signatureOf({ query: { lifecycle: '' } }),
    'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543',
  )
  assert.equal(
    signatureOf({ query: { prefix: 'J', 'max-keys': '2' } }),
    '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
  )
})

test('a session token is sent and signed', () => {
  const credentials = { ...CONTEXT.credentials, sessionToken: 'temporary' }
  const request = { method: 'GET', path: '/', query: {}, headers: { host: HOST, 'x-amz-content-sha256': EMPTY_SHA256 } }
  const signed = signRequest(request, { ...CONTEXT, credentials })
  assert.equal(signed['x-amz-security-token' as keyof typeof signed], 'temporary')
  assert.match(signed.authorization, /SignedHeaders=host;x-amz-content-sha256;x-amz-date;x-amz-security-token,/)
})

// Signs requests with AWS Signature Version 4.
// https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html

import { createHmac, hash } from 'node:crypto'

export interface Credentials {
  accessKeyId: string
  secretAccessKey: string
  sessionToken: string | null
}

export interface UnsignedRequest {
  method: string
  /** Encoded with `encodePath`. */
  path: string
  query: Record<string, string>
  /** Lower-case names. Must contain `host` and `x-amz-content-sha256`. */
  headers: Record<string, string>
}

export interface SigningContext {
  credentials: Credentials
  region: string
  /** Ms since 1970. */
  now: number
}

const ALGORITHM = 'AWS4-HMAC-SHA256'
const SERVICE = 's3'
export const EMPTY_SHA256 = hash('sha256', '', 'hex')

/** The headers of the request with the signature. */
export function signRequest(request: UnsignedRequest, { credentials, region, now }: SigningContext) {
  const time = new Date(now).toISOString().replace(/[-:]|\.\d+/g, '')
  const day = time.slice(0, 8)
  const token = credentials.sessionToken === null ? {} : { 'x-amz-security-token': credentials.sessionToken }
  const headers: Record<string, string> = { ...request.headers, ...token, 'x-amz-date': time }
  const names = Object.keys(headers).sort()
  const canonicalRequest = [
    request.method,
    request.path,
    canonicalQuery(request.query),
    ...names.map((name) => `${name}:${(headers[name] ?? '').trim()}`),
    '',
    names.join(';'),
    headers['x-amz-content-sha256'] ?? '',
  ].join('\n')
  const scope = `${day}/${region}/${SERVICE}/aws4_request`
  const stringToSign = [ALGORITHM, time, scope, hash('sha256', canonicalRequest, 'hex')].join('\n')
  const signature = hmac(signingKey(credentials.secretAccessKey, day, region), stringToSign).toString('hex')
  const credential = `Credential=${credentials.accessKeyId}/${scope}`
  const authorization = `${ALGORITHM} ${credential},SignedHeaders=${names.join(';')},Signature=${signature}`
  return { ...headers, authorization }
}

export function canonicalQuery(query: Record<string, string>): string {
  const pairs = Object.entries(query).map(([name, value]) => `${encode(name)}=${encode(value)}`)
  return pairs.sort().join('&')
}

/** Encodes each part of the path, but not the slashes. */
export function encodePath(path: string): string {
  return path.split('/').map(encode).join('/')
}

function encode(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)
}

function signingKey(secret: string, day: string, region: string): Buffer {
  let key: Buffer = Buffer.from(`AWS4${secret}`)
  for (const part of [day, region, SERVICE, 'aws4_request']) key = hmac(key, part)
  return key
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}

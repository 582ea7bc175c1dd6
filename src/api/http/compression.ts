// Compresses JSON bodies. They are complete, so they need no stream, and most are read once by a machine nearby.

import { promisify } from 'node:util'
import { constants, gzip } from 'node:zlib'
import { createMiddleware } from 'hono/factory'
import type { ApiEnv } from './request-context.ts'

/** Hono uses the same threshold. */
export const MIN_COMPRESSED_BYTES = 1024
const JSON_TYPE = /^application\/(?:problem\+)?json/

const compress = promisify(gzip)

/** A graph of 1.1 MB takes 3 ms instead of 15 with the default level, and 88 KB instead of 65 (2026-11). */
export function compressBody(body: Uint8Array): Promise<Buffer> {
  return compress(body, { level: constants.Z_BEST_SPEED })
}

/** False for anything unusual, such as weights. */
export function acceptsGzip(header: string | undefined): boolean {
  return header !== undefined && /(^|,)\s*gzip\s*(,|$)/.test(header)
}

/** Everything else is left to the next middleware. */
export const compressJson = createMiddleware<ApiEnv>(async (c, next) => {
  await next()
  const { headers } = c.res
  const isLong = Number(headers.get('content-length')) >= MIN_COMPRESSED_BYTES
  const isJson = JSON_TYPE.test(headers.get('content-type') ?? '')
  if (!isLong || !isJson || c.req.method === 'HEAD' || !acceptsGzip(c.req.header('accept-encoding'))) return
  const body = await compressBody(new Uint8Array(await c.res.arrayBuffer()))
  c.res = new Response(new Uint8Array(body), c.res)
  c.res.headers.set('content-encoding', 'gzip')
  c.res.headers.set('content-length', String(body.length))
  c.res.headers.append('vary', 'Accept-Encoding')
})

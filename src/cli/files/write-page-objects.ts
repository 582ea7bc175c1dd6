// Writes each page record as a separate object: <domain>/<yyyy>/<mm>/<dd>/<record id>.json.gz. The record id contains
// the hash of the content and the version number, so the same export writes the same objects, and no page replaces
// another page with the same content.

import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { PageRecord } from '../../engine/pages/page-record.ts'
import { openS3Client, s3FileError } from './s3-object.ts'

/** Uploads at a time. */
const CONCURRENCY = 8

const compress = promisify(gzip)

/** `lines` are JSON lines, one record each. */
export async function writePageObjects(
  lines: AsyncIterable<string | Buffer>,
  url: string,
  env: NodeJS.ProcessEnv,
): Promise<void> {
  const { client } = openS3Client(url, env, null)
  const uploads = new Set<Promise<void>>()
  const failures: unknown[] = []
  const write = async (line: string) => {
    await client.put(objectKey(JSON.parse(line) as PageRecord), await compress(line))
  }
  try {
    await client.check()
    for await (const line of lines) {
      const upload = write(String(line))
        .catch((error: unknown) => void failures.push(error))
        .finally(() => uploads.delete(upload))
      uploads.add(upload)
      if (uploads.size >= CONCURRENCY) await Promise.race(uploads)
      if (failures.length > 0) break
    }
    await Promise.all(uploads)
    if (failures.length > 0) throw failures[0]
  } catch (error) {
    throw s3FileError(error)
  } finally {
    client.close()
  }
}

function objectKey({ record_id, original_url, crawl_timestamp }: PageRecord): string {
  const day = crawl_timestamp.slice(0, 10).replaceAll('-', '/')
  return `${new URL(original_url).hostname}/${day}/${record_id}.json.gz`
}

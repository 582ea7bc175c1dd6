// Files in object storage that the command line names: s3://bucket/key.

import { AppError } from '../../lib/errors.ts'
import { parseS3Url } from '../../lib/s3/location.ts'
import { S3Client } from '../../lib/s3/s3-client.ts'
import { S3Error } from '../../lib/s3/s3-error.ts'

const SCHEME = 's3://'

export function isS3Url(path: string): boolean {
  return path.startsWith(SCHEME)
}

/** Throws FILE_UNREADABLE with the server's message. */
export async function readS3Object(url: string, env: NodeJS.ProcessEnv): Promise<string> {
  const { prefix, client } = openS3Client(url, env, '')
  try {
    return (await client.readAll(prefix.replace(/\/$/, ''))).toString('utf8')
  } catch (error) {
    throw s3FileError(error)
  } finally {
    client.close()
  }
}

/** Keys are relative to `keyPrefix`; null: to the path of the URL. */
export function openS3Client(url: string, env: NodeJS.ProcessEnv, keyPrefix: string | null) {
  const location = parseS3Url(url)
  if (location === null) throw new AppError('USAGE', `${url} is not a URL such as s3://bucket/key.`)
  const { prefix } = location
  return { prefix, client: new S3Client({ ...location, prefix: keyPrefix ?? prefix }, env) }
}

export function s3FileError(error: unknown): unknown {
  return error instanceof S3Error ? new AppError('FILE_UNREADABLE', error.message, { cause: error }) : error
}

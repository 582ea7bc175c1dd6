// Segments as objects of a bucket, under the names of their files. The bucket itself records what was uploaded, so no
// table can disagree with it.

import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { AppError } from '../../lib/errors.ts'
import { parseS3Url, type S3Location, showLocation } from '../../lib/s3/location.ts'
import { S3Client } from '../../lib/s3/s3-client.ts'
import { SEGMENT_NAME } from '../../ports/archive.ts'
import { archiveError } from '../segment-files.ts'
import { type Bucket, SeveralBuckets } from './several-buckets.ts'

export interface ListedSegmentObject {
  segment: string
  bytes: number
  /** Upload time on the clock of the server. */
  uploadedAt: number
}

export interface SegmentObjects {
  /** Name for messages. */
  readonly name: string
  /** Throws if the bucket cannot be used. */
  check(): Promise<void>
  /** Uploads a file. Resolves when the object is complete and has the bytes of the file. */
  put(segment: string, path: string): Promise<void>
  /** Null if the object does not exist. */
  sizeOf(segment: string): Promise<number | null>
  /** Fewer bytes only at the end. */
  read(segment: string, offset: number, length: number): Promise<Buffer>
  /** Objects in order of their names. */
  list(): AsyncIterable<ListedSegmentObject>
  delete(segment: string): Promise<void>
  close(): void
}

export type Environment = Readonly<Record<string, string | undefined>>

/** Each URL names a bucket and a prefix; credentials come from the environment. */
export function openSegmentObjects(urls: readonly string[], env: Environment): SegmentObjects {
  const buckets = openBuckets(urls, env)
  const [first] = buckets
  return first !== undefined && buckets.length === 1 ? first.objects : new SeveralBuckets(buckets)
}

export function openBuckets(urls: readonly string[], env: Environment): Bucket[] {
  const buckets = urls.map((url): Bucket => {
    const location = parseS3Url(url)
    if (location === null)
      throw new AppError('BAD_CONFIG', 'The archive store must be a URL such as s3://bucket/prefix.')
    const { endpoint, isReadOnly } = location
    return { key: `${endpoint ?? ''} ${showLocation(location)}`, objects: openBucket(location, env), isReadOnly }
  })
  const repeated = buckets.find(({ key }, i) => buckets.findIndex((other) => other.key === key) < i)
  if (repeated !== undefined) throw new AppError('BAD_CONFIG', `--archive-store names ${repeated.objects.name} twice.`)
  if (buckets.every(({ isReadOnly }) => isReadOnly))
    throw new AppError('BAD_CONFIG', 'At least one --archive-store must be without mode=read, to take new segments.')
  return buckets
}

function openBucket(location: S3Location, env: Environment): SegmentObjects {
  const client = new S3Client(location, env)
  const withArchiveErrors = async <T>(operation: Promise<T>, segment = ''): Promise<T> => {
    try {
      return await operation
    } catch (error) {
      throw archiveError(error, client.name + segment)
    }
  }
  return {
    name: client.name,
    check: () => withArchiveErrors(client.check()),
    put: (segment, path) => withArchiveErrors(putFile(client, segment, path), segment),
    sizeOf: (segment) => withArchiveErrors(client.sizeOf(segment), segment),
    read: (segment, offset, length) => withArchiveErrors(client.read(segment, offset, length), segment),
    async *list() {
      try {
        for await (const { key, bytes, modifiedAt } of client.list())
          if (SEGMENT_NAME.test(key)) yield { segment: key, bytes, uploadedAt: modifiedAt }
      } catch (error) {
        throw archiveError(error, client.name)
      }
    },
    delete: (segment) => withArchiveErrors(client.delete(segment), segment),
    close: () => client.close(),
  }
}

async function putFile(client: S3Client, segment: string, path: string): Promise<void> {
  const { size } = await stat(path)
  const sha256 = createHash('sha256')
  for await (const chunk of createReadStream(path, { highWaterMark: 1024 * 1024 })) sha256.update(chunk as Buffer)
  await client.put(segment, { path, bytes: size, sha256: sha256.digest('hex') })
}

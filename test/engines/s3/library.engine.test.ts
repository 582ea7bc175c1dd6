// An archive in object storage, as a program uses it.

import assert from 'node:assert/strict'
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { type CrawlOptions, crawl, openStore, type Store } from '../../../src/library/index.ts'
import { servePlainSite } from '../../sites/plain-site.ts'
import { makeTemporaryFolder } from '../../testing/program.ts'
import { S3_ENVIRONMENT, startS3Server } from './s3-server.ts'

const FAST: CrawlOptions = { allowPrivate: true, ignoreRobots: true, delay: 0, threads: 1, minFreeDisk: 0 }

it('segments are uploaded by a program, and moved out of a bucket', async (t) => {
  Object.assign(process.env, S3_ENVIRONMENT)
  const server = await startS3Server(t)
  const site = await servePlainSite(t, (path) => (path === '/' ? '<a href=/1>1</a>' : 'page'))
  const data = join(makeTemporaryFolder(t), 'data')
  await crawl(site.origin, { ...FAST, data }).run()
  const [first, second] = [server.makeBucket(), server.makeBucket()]
  const withBuckets = async <T>(archiveStore: string[], use: (store: Store) => Promise<T>): Promise<T> => {
    const store = await openStore({ data, archiveStore })
    return use(store).finally(() => store.close())
  }

  const missing = first.replace('pages-', 'no-pages-')
  const problems: string[] = []
  const options = { signal: AbortSignal.timeout(3000), onProblem: (problem: string) => void problems.push(problem) }
  await assert.rejects(
    withBuckets([missing], ({ archive }) => archive.upload(options)),
    /NoSuchBucket/,
  )
  assert.equal(readdirSync(join(data, 'archive')).filter((name) => name.includes('.warc.')).length, 1)

  const uploaded = await withBuckets([first], ({ archive }) => archive.upload())
  assert.deepEqual([uploaded.segments, uploaded.bytes > 0, uploaded.lost], [1, true, []])
  assert.equal((await withBuckets([first], ({ archive }) => archive.upload())).segments, 0)
  rmSync(join(data, 'archive'), { recursive: true })

  const draining = [`${first}&mode=read`, second]
  assert.equal((await withBuckets(draining, ({ archive }) => archive.drain())).segments, 1)
  assert.equal((await withBuckets(draining, ({ archive }) => archive.drain())).segments, 0)
  const check = await withBuckets([second], ({ archive }) => archive.verify())
  assert.deepEqual([check.records > 0, check.problems], [true, []])
})

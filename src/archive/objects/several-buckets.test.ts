import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { MemoryObjects } from '../testing/memory-objects.ts'
import { drainBuckets } from './drain-buckets.ts'
import { openBuckets } from './segment-objects.ts'
import { type Bucket, SeveralBuckets } from './several-buckets.ts'

const segments = Array.from({ length: 300 }, (_, i) => `20260102T030405-w1-${String(i).padStart(5, '0')}.warc.gz`)
const makeBucket = (key: string): Bucket & { objects: MemoryObjects } => {
  return { key, objects: new MemoryObjects(), isReadOnly: false }
}
const sizes = (buckets: readonly { objects: MemoryObjects }[]) => buckets.map(({ objects }) => objects.objects.size)

function makeFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'orbweaver-buckets-'))
  t.after(() => rmSync(folder, { recursive: true }))
  return folder
}

async function putAll(t: TestContext, buckets: Bucket[], names: string[]): Promise<SeveralBuckets> {
  const several = new SeveralBuckets(buckets)
  const path = join(makeFolder(t), 'segment')
  for (const name of names) {
    writeFileSync(path, `bytes of ${name}`)
    await several.put(name, path)
  }
  return several
}

async function checkReadable(buckets: Bucket[], names: string[]): Promise<void> {
  const several = new SeveralBuckets(buckets)
  for (const name of names) {
    assert.equal((await several.read(name, 9, 100)).toString(), name)
    assert.equal(await several.sizeOf(name), 9 + name.length)
  }
  assert.deepEqual(
    (await Array.fromAsync(several.list())).map(({ segment }) => segment),
    names,
  )
}

describe('several buckets', () => {
  it('share the segments', async (t) => {
    const buckets = ['a', 'b', 'c'].map(makeBucket)
    await putAll(t, buckets, segments)
    for (const size of sizes(buckets)) assert.ok(size > 70 && size < 130, `${sizes(buckets)}`)
    await checkReadable(buckets, segments)
  })

  it('keep their segments when one is added, which takes its share of new ones', async (t) => {
    const [a, b, c] = [makeBucket('a'), makeBucket('b'), makeBucket('c')]
    const old = segments.slice(0, 150)
    await putAll(t, [a, b], old)
    const before = [a, b].map(({ objects }) => [...objects.objects.keys()])
    await putAll(t, [a, b, c], segments.slice(150))
    await checkReadable([a, b, c], segments)
    const after = [a, b].map(({ objects }) => [...objects.objects.keys()])
    for (const [i, names] of before.entries()) assert.deepEqual(after[i]?.slice(0, names.length), names)
    const added = c.objects.objects.size
    assert.ok(added > 30 && added < 70, `${added}`)
  })

  it('are drained when they are read-only, and only these', async (t) => {
    const buckets = ['a', 'b', 'c'].map(makeBucket)
    await putAll(t, buckets, segments)
    const [a, b, c] = sizes(buckets) as [number, number, number]
    const draining = buckets.map((bucket, i) => ({ ...bucket, isReadOnly: i === 0 }))
    const folder = makeFolder(t)
    let moved = 0
    for await (const _ of drainBuckets(draining, folder)) {
      moved += 1
      if (moved % 50 === 0) await checkReadable(draining, segments)
    }
    assert.equal(moved, a)
    assert.deepEqual(readdirSync(folder), [])
    assert.equal(sizes(buckets)[0], 0)
    assert.ok((sizes(buckets)[1] ?? 0) > b && (sizes(buckets)[2] ?? 0) > c)
    await checkReadable(draining.slice(1), segments)
  })

  it('take no new segment while they are read-only', async (t) => {
    const buckets = [{ ...makeBucket('a'), isReadOnly: true }, makeBucket('b')]
    await putAll(t, buckets, segments.slice(0, 20))
    assert.deepEqual(sizes(buckets), [0, 20])
  })

  it('find a segment in another bucket while one fails, and tell a failure from a missing segment', async (t) => {
    const buckets = [makeBucket('a'), makeBucket('b')] as const
    await putAll(t, [buckets[1]], segments.slice(0, 20))
    buckets[0].objects.failure = 'away'
    for (const name of segments.slice(0, 20))
      assert.equal((await new SeveralBuckets(buckets).read(name, 9, 100)).toString(), name)
    await assert.rejects(new SeveralBuckets(buckets).sizeOf('20260102T030405-w2-00000.warc.gz'), {
      code: 'ARCHIVE_AWAY',
    })
    buckets[0].objects.failure = null
    const missing = new SeveralBuckets(buckets).read('20260102T030405-w2-00000.warc.gz', 0, 1)
    await assert.rejects(missing, { code: 'ARCHIVE_BROKEN' })
  })

  it('delete a segment that is being moved from both', async (t) => {
    const buckets = ['a', 'b'].map(makeBucket)
    for (const bucket of buckets) await putAll(t, [bucket], segments.slice(0, 1))
    await new SeveralBuckets(buckets).delete(segments[0] ?? '')
    assert.deepEqual(sizes(buckets), [0, 0])
  })

  it('must differ, and one must take new segments', () => {
    assert.throws(() => openBuckets(['s3://pages/a', 's3://pages/a/?region=x'], {}), /names s3:\/\/pages\/a\/ twice/)
    assert.throws(() => openBuckets(['s3://pages/a?mode=read'], {}), /must be without mode=read/)
    assert.equal(openBuckets(['s3://pages/a', 's3://pages/a?endpoint=http://host'], {}).length, 2)
  })
})

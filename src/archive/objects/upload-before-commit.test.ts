import assert from 'node:assert/strict'
import { it } from 'node:test'
import { ManualClock } from '../../lib/testing/manual-clock.ts'
import { openArchiveWriter } from '../archive-writer.ts'
import { makeBatch, NOW, SETTINGS, temporaryFolders } from '../testing/archive-batches.ts'
import { MemoryObjects } from '../testing/memory-objects.ts'
import { SegmentUploader } from './segment-uploader.ts'
import { uploadBeforeCommit } from './upload-before-commit.ts'

const freshFolder = temporaryFolders()

it('an append resolves when its segment is an object, which appends of a while share', async () => {
  const dir = await freshFolder()
  const clock = new ManualClock(NOW)
  const objects = new MemoryObjects()
  const uploader = new SegmentUploader({ dir, objects, clock, cacheBytes: 0 })
  const settings = { ...SETTINGS, onSealed: uploader.add.bind(uploader) }
  const writer = await openArchiveWriter(dir, settings, clock)
  await uploader.start()
  const uploading = uploadBeforeCommit({ writer, uploader, clock })
  let resolved = 0
  const append = async () => {
    const [position] = await uploading.append(makeBatch([{}]))
    resolved += 1
    return position?.segment
  }
  const appends = [append(), append()]
  // Both records are on disk once the timer is set.
  while (clock.nextAt() !== NOW + 250) await new Promise(setImmediate)
  assert.equal(resolved, 0)
  clock.advance(250)
  const [one, two] = await Promise.all(appends)
  assert.equal(one, two)
  assert.deepEqual([...objects.objects.keys()], [one])
  const third = append()
  while (clock.nextAt() !== NOW + 500) await new Promise(setImmediate)
  clock.advance(250)
  assert.notEqual(await third, one)
})

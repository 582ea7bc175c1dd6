import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { describe, it } from 'node:test'
import type { ArchiveItem } from '../../ports/archive.ts'
import { type Kept, NO_PAGE_FACTS } from './keep.ts'
import { Keeper } from './keeper.ts'

const EARLIER = { url: 'http://b.test/', fetchedAt: 1 }
const HEAD = Buffer.from('HTTP/1.1 200 OK')

function answer(payload: Buffer): Kept {
  const digest = hash('sha256', payload, 'hex')
  const about = { url: 'http://a.test/', fetchedAt: 2, ip: null, isTruncated: false }
  return {
    item: { ...about, headLength: HEAD.length, payloadLength: payload.length, payloadDigest: digest },
    head: HEAD,
    payload,
    page: { ...NO_PAGE_FACTS, digest, wireBytes: payload.length, position: null, hasPayload: false, resembles: null },
  }
}

/** An archive that has every payload already, and what it is given to write. */
function keeperOf(written: ArchiveItem[]): Keeper {
  const append = async ({ items }: { items: ArchiveItem[] }) => {
    written.push(...items)
    return items.map((_, i) => ({ segment: 's', offset: i, length: 1 }))
  }
  const find = async (wanted: unknown[]) => wanted.map(() => ({ sameAs: EARLIER, resembles: null }))
  return new Keeper({ archive: { append }, contents: { find } }, false)
}

describe('a payload that the archive has', () => {
  it('is referred to when that is shorter, and written again when it is not', async () => {
    const written: ArchiveItem[] = []
    const answers = [0, 511, 512, 5000].map((length) => answer(Buffer.alloc(length)))
    await keeperOf(written).keep(answers)
    assert.deepEqual(
      written.map(({ sameAs }) => sameAs),
      [null, null, EARLIER, EARLIER],
    )
    assert.deepEqual(
      answers.map(({ page }) => page.hasPayload),
      [true, true, false, false],
    )
  })
})

import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { describe, it } from 'node:test'
import type { ArchiveBatch, ArchiveItem } from '../../../ports/archive.ts'
import { NO_PAGE_FACTS, type ResponseToArchive } from '../visit/response-to-archive.ts'
import { ResponseArchiver } from './response-archiver.ts'

const EARLIER = { url: 'http://b.test/', fetchedAt: 1 }
const HEAD = Buffer.from('HTTP/1.1 200 OK')
const NOTHING_ELSE = { requestLength: 0, extractedLength: 0 }

function makeResponse(payload: Buffer): ResponseToArchive {
  const digest = hash('sha256', payload, 'hex')
  const about = { url: 'http://a.test/', fetchedAt: 2, ip: null, isTruncated: false }
  return {
    item: { ...about, headLength: HEAD.length, payloadLength: payload.length, payloadDigest: digest, ...NOTHING_ELSE },
    head: HEAD,
    payload,
    request: Buffer.alloc(0),
    extracted: Buffer.alloc(0),
    screenshot: Buffer.alloc(0),
    isReported: false,
    isCertain: true,
    page: { ...NO_PAGE_FACTS, digest, wireBytes: payload.length, position: null, hasPayload: false, resembles: null },
  }
}

/** An archiver on an archive that already has every payload, intact or damaged. `written` collects what it writes. */
function makeArchiver(written: ArchiveItem[], isDamaged = () => false): ResponseArchiver {
  const append = async ({ items }: { items: ArchiveItem[] }) => {
    written.push(...items)
    return items.map((_, i) => ({ segment: 's', offset: i, length: 1 }))
  }
  const find = async (wanted: unknown[]) =>
    wanted.map(() => ({ sameAs: isDamaged() ? null : EARLIER, isDamaged: isDamaged(), resembles: null }))
  return new ResponseArchiver({ archive: { append }, contents: { find } }, false)
}

describe('a payload that is already archived', () => {
  it('is referred to if that is shorter, and written again otherwise', async () => {
    const written: ArchiveItem[] = []
    const responses = [0, 511, 512, 5000].map((length) => makeResponse(Buffer.alloc(length)))
    await makeArchiver(written).archive(responses)
    assert.deepEqual(
      written.map(({ sameAs }) => sameAs),
      [null, null, EARLIER, EARLIER],
    )
    assert.deepEqual(
      responses.map(({ page }) => page.hasPayload),
      [true, true, false, false],
    )
  })

  it('is written again if the archived one is damaged, even if it was archived a moment ago', async () => {
    const written: ArchiveItem[] = []
    let isDamaged = true
    const responseArchiver = makeArchiver(written, () => isDamaged)
    for (let i = 0; i < 2; i++) await responseArchiver.archive([makeResponse(Buffer.alloc(5000))])
    isDamaged = false
    await responseArchiver.archive([makeResponse(Buffer.alloc(5000))])
    assert.deepEqual(
      written.map(({ sameAs }) => sameAs),
      [null, null, EARLIER],
    )
  })
})

describe('a request and extracted content', () => {
  it('are archived after their response, the extracted content only together with the payload', async () => {
    const written: ArchiveBatch[] = []
    const append = async (batch: ArchiveBatch) => {
      written.push(batch)
      return []
    }
    const find = async (wanted: unknown[]) =>
      wanted.map((_, i) => ({ sameAs: i === 0 ? null : EARLIER, isDamaged: false, resembles: null }))
    const payload = Buffer.alloc(600, 'p')
    const request = Buffer.from('GET / HTTP/1.1')
    const extracted = Buffer.from('{}')
    const responses = [1, 2].map(() => {
      const plain = makeResponse(payload)
      const lengths = { requestLength: request.length, extractedLength: extracted.length }
      return { ...plain, request, extracted, item: { ...plain.item, ...lengths, url: `http://a.test/` } }
    })
    responses.forEach((one, i) => {
      one.page = { ...one.page, digest: String(i) }
    })
    await new ResponseArchiver({ archive: { append }, contents: { find } }, false).archive(responses)
    assert.equal(Buffer.from(written[0]?.bytes ?? []).toString(), `${HEAD}${payload}${request}{}${HEAD}${request}`)
  })
})

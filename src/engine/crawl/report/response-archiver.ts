// Brings answers into the archive before the commit that points at them. What the archive has already is not written
// again: only a record that says when it was seen.

import { withTransfer } from '../../../lib/rpc.ts'
import type { ArchiveBatch, ArchiveWriter } from '../../../ports/archive.ts'
import type { Contents, KnownContent } from '../../../ports/pages.ts'
import type { ResponseToArchive } from '../visit/response-to-archive.ts'

export interface ResponseArchiverDependencies {
  archive: Pick<ArchiveWriter, 'append'>
  contents: Pick<Contents, 'find'>
}

interface OriginalRecord {
  url: string
  fetchedAt: number
}

/** Payloads on their way to the store, which does not know them yet. */
const MAX_RECENT = 10_000
/** By then the store knows a payload, or has let it go again. */
const RECENT_MS = 3_600_000
/** A record that refers to another is as long as one with so many bytes of its own. */
const MIN_SHARED_BYTES = 512
const NO_BYTES = Buffer.alloc(0)

export class ResponseArchiver {
  readonly #dependencies: ResponseArchiverDependencies
  readonly #skipNearDuplicates: boolean
  readonly #recentPayloads = new Map<string, OriginalRecord>()
  /** Batches that the archive is writing. */
  batchesInFlight = 0

  constructor(parts: ResponseArchiverDependencies, skipNearDuplicates: boolean) {
    this.#dependencies = parts
    this.#skipNearDuplicates = skipNearDuplicates
  }

  /** Resolves when the bytes are safe and every page knows where its own lie. */
  async archive(answers: ResponseToArchive[]): Promise<void> {
    const known = await this.#dependencies.contents.find(
      answers.map(({ item: { url }, page: { digest, fingerprint } }) => ({
        url,
        digest,
        fingerprint: this.#skipNearDuplicates ? fingerprint : null,
      })),
    )
    const chosen: { kept: ResponseToArchive; sameAs: OriginalRecord | null }[] = []
    answers.forEach((responseToArchive, i) => {
      const sameAs = this.#findOriginal(responseToArchive, known[i])
      const resembles = known[i]?.resembles ?? null
      if (this.#skipNearDuplicates && sameAs === null && resembles !== null)
        responseToArchive.page.resembles = resembles
      else chosen.push({ kept: responseToArchive, sameAs })
    })
    const batch = toArchiveBatch(chosen)
    // They are on their way; the commit needs only to know where they lie.
    for (const responseToArchive of answers) {
      responseToArchive.payload = NO_BYTES
      responseToArchive.extracted = NO_BYTES
    }
    this.batchesInFlight += 1
    const positions = await this.#dependencies.archive.append(batch)
    this.batchesInFlight -= 1
    chosen.forEach(({ kept, sameAs }, i) => {
      kept.page.position = positions[i] ?? null
      kept.page.hasPayload = sameAs === null
    })
  }

  /** After a commit that did not count: what was on its way may never have arrived. */
  reset(): void {
    this.#recentPayloads.clear()
  }

  #findOriginal({ item, page }: ResponseToArchive, known: KnownContent | undefined): OriginalRecord | null {
    if (item.payloadLength < MIN_SHARED_BYTES) return null
    const recent = this.#recentPayloads.get(page.digest)
    // What is damaged is brought anew, also when it is this thread that brought it before.
    const isRecent = recent !== undefined && item.fetchedAt - recent.fetchedAt < RECENT_MS && known?.isDamaged !== true
    const source = known?.sameAs ?? (isRecent ? recent : null)
    if (source !== null) return source
    if (this.#recentPayloads.size >= MAX_RECENT) {
      const oldest = this.#recentPayloads.keys().next()
      if (!oldest.done) this.#recentPayloads.delete(oldest.value)
    }
    this.#recentPayloads.set(page.digest, { url: item.url, fetchedAt: item.fetchedAt })
    return null
  }
}

/** Everything in one buffer, which goes to the other thread as it is. */
function toArchiveBatch(chosen: { kept: ResponseToArchive; sameAs: OriginalRecord | null }[]): ArchiveBatch {
  const parts = chosen.flatMap(({ kept: { head, payload, request, extracted }, sameAs }) =>
    sameAs === null ? [head, payload, request, extracted] : [head, request],
  )
  // Of its own, since the others of a pool would go along; and not cleared first, for every byte is written.
  const bytes = Buffer.allocUnsafeSlow(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  const items = chosen.map(({ kept, sameAs }) => ({ ...kept.item, sameAs }))
  return withTransfer({ items, bytes }, [bytes.buffer])
}

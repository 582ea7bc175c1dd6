// Brings answers into the archive before the commit that points at them. What the archive has already is not written
// again: only a record that says when it was seen.

import { withTransfer } from '../../lib/rpc.ts'
import type { ArchiveBatch, ArchiveWriter } from '../../ports/archive.ts'
import type { Contents, KnownContent } from '../../ports/pages.ts'
import type { Kept } from './keep.ts'

export interface KeeperParts {
  archive: Pick<ArchiveWriter, 'append'>
  contents: Pick<Contents, 'find'>
}

interface Source {
  url: string
  fetchedAt: number
}

/** Payloads on their way to the store, which does not know them yet. */
const MAX_RECENT = 10_000
/** By then the store knows a payload, or has let it go again. */
const RECENT_MS = 3_600_000
/** A record that refers to another is as long as one with so many bytes of its own. */
const MIN_SHARED_BYTES = 512
const GONE = Buffer.alloc(0)

export class Keeper {
  readonly #parts: KeeperParts
  readonly #skipNearDuplicates: boolean
  readonly #recent = new Map<string, Source>()
  /** Batches that the archive is writing. */
  writing = 0

  constructor(parts: KeeperParts, skipNearDuplicates: boolean) {
    this.#parts = parts
    this.#skipNearDuplicates = skipNearDuplicates
  }

  /** Resolves when the bytes are safe and every page knows where its own lie. */
  async keep(answers: Kept[]): Promise<void> {
    const known = await this.#parts.contents.find(
      answers.map(({ item: { url }, page: { digest, fingerprint } }) => ({
        url,
        digest,
        fingerprint: this.#skipNearDuplicates ? fingerprint : null,
      })),
    )
    const chosen: { kept: Kept; sameAs: Source | null }[] = []
    answers.forEach((kept, i) => {
      const sameAs = this.#sourceOf(kept, known[i])
      const resembles = known[i]?.resembles ?? null
      if (this.#skipNearDuplicates && sameAs === null && resembles !== null) kept.page.resembles = resembles
      else chosen.push({ kept, sameAs })
    })
    const batch = toBatch(chosen)
    // They are on their way; the commit needs only to know where they lie.
    for (const kept of answers) {
      kept.payload = GONE
      kept.extracted = GONE
    }
    this.writing += 1
    const positions = await this.#parts.archive.append(batch)
    this.writing -= 1
    chosen.forEach(({ kept, sameAs }, i) => {
      kept.page.position = positions[i] ?? null
      kept.page.hasPayload = sameAs === null
    })
  }

  /** After a commit that did not count: what was on its way may never have arrived. */
  startOver(): void {
    this.#recent.clear()
  }

  #sourceOf({ item, page }: Kept, known: KnownContent | undefined): Source | null {
    if (item.payloadLength < MIN_SHARED_BYTES) return null
    const recent = this.#recent.get(page.digest)
    // What is damaged is brought anew, also when it is this thread that brought it before.
    const isRecent = recent !== undefined && item.fetchedAt - recent.fetchedAt < RECENT_MS && known?.isDamaged !== true
    const source = known?.sameAs ?? (isRecent ? recent : null)
    if (source !== null) return source
    if (this.#recent.size >= MAX_RECENT) {
      const oldest = this.#recent.keys().next()
      if (!oldest.done) this.#recent.delete(oldest.value)
    }
    this.#recent.set(page.digest, { url: item.url, fetchedAt: item.fetchedAt })
    return null
  }
}

/** Everything in one buffer, which goes to the other thread as it is. */
function toBatch(chosen: { kept: Kept; sameAs: Source | null }[]): ArchiveBatch {
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

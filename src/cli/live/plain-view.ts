// Progress for logs and pipes: a line every few seconds, without escape codes.

import { doneCount, ledgerTotal } from '../../lib/states.ts'
import type { HoldReason } from '../../ports/hold-reasons.ts'
import { formatDuration, formatRate, groupDigits, pluralize, sanitizeText } from '../format/units.ts'
import type { CrawlSnapshot, View } from './crawl-snapshot.ts'
import { nextVisitText } from './next-visit-text.ts'
import { holdText, waitText } from './wait-text.ts'

export interface PlainViewOptions {
  now: () => number
  everyMs: number
}

export function openPlainView(stream: { write(text: string): unknown }, options: PlainViewOptions): View {
  let writtenAt = options.now()
  let hasPrintedDraining = false
  let printedHold: HoldReason | null = null
  /** Received when a watching crawl was last shown; null if it was not watching. */
  let watchedBytes: number | null = null
  let open = true
  return {
    draw(snapshot) {
      if (!open) return
      if (snapshot.draining && !hasPrintedDraining) {
        hasPrintedDraining = true
        stream.write(`Finishing ${pluralize(snapshot.inFlight, 'request')}. Press Ctrl-C again to quit now.\n`)
      }
      if (snapshot.held !== printedHold) {
        printedHold = snapshot.held
        stream.write(printedHold === null ? 'Continuing.\n' : `Waiting: ${holdText(printedHold)}.\n`)
      }
      // A watching crawl is shown once, and again when something was visited.
      if (snapshot.status === 'watching' && snapshot.bytes === watchedBytes) return
      if (options.now() - writtenAt < options.everyMs) return
      watchedBytes = snapshot.status === 'watching' ? snapshot.bytes : null
      writtenAt = options.now()
      stream.write(`${plainLine(snapshot)}\n`)
    },
    close(finalLines) {
      if (!open) return
      open = false
      for (const line of finalLines) stream.write(`${line}\n`)
    },
  }
}

export function plainLine(snapshot: CrawlSnapshot): string {
  const { ledger } = snapshot
  // Every host has a gap; not worth mentioning.
  const waits = waitText(
    snapshot.waits.filter(({ reason }) => reason !== 'gap'),
    sanitizeText,
  )
  return [
    formatDuration(snapshot.elapsedMs),
    `${groupDigits(doneCount(ledger))} done of ${groupDigits(ledgerTotal(ledger))}`,
    `${formatRate(snapshot.pagesPerSecond)} pages/s`,
    `queue ${groupDigits(ledger.queued)}`,
    `in flight ${groupDigits(snapshot.inFlight)}`,
    `failed ${groupDigits(ledger.failed)}`,
    ...(waits === '' ? [] : [`waiting: ${waits}`]),
    ...(snapshot.status === 'watching' ? [`watching${nextVisitText(snapshot)}`] : []),
  ].join('  ')
}

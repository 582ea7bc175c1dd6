// Progress for logs and pipes: a line every few seconds and no escape codes.

import type { HoldReason } from '../../engine/crawl/waits.ts'
import { doneCount, ledgerTotal } from '../../ports/state.ts'
import type { LiveSnapshot, View } from './snapshot.ts'
import { clean, duration, grouped, plural, rate } from './units.ts'
import { heldText, waitsText } from './waiting.ts'

export interface PlainOptions {
  now: () => number
  everyMs: number
}

export function openPlainView(stream: { write(text: string): unknown }, options: PlainOptions): View {
  let writtenAt = options.now()
  let saidDraining = false
  let saidHeld: HoldReason | null = null
  let open = true
  return {
    draw(snapshot) {
      if (!open) return
      if (snapshot.draining && !saidDraining) {
        saidDraining = true
        stream.write(`Finishing ${plural(snapshot.inFlight, 'request')}. Ctrl-C again quits at once.\n`)
      }
      if (snapshot.held !== saidHeld) {
        saidHeld = snapshot.held
        stream.write(saidHeld === null ? 'Going on.\n' : `Waiting: ${heldText(saidHeld)}.\n`)
      }
      if (options.now() - writtenAt < options.everyMs) return
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

export function plainLine(snapshot: LiveSnapshot): string {
  const { ledger } = snapshot
  // Every host has a gap, so that one goes without saying.
  const waits = waitsText(
    snapshot.waits.filter(({ reason }) => reason !== 'gap'),
    clean,
  )
  return [
    duration(snapshot.elapsedMs),
    `${grouped(doneCount(ledger))} done of ${grouped(ledgerTotal(ledger))}`,
    `${rate(snapshot.pagesPerSecond)} pages/s`,
    `queue ${grouped(ledger.queued)}`,
    `in flight ${grouped(snapshot.inFlight)}`,
    `failed ${grouped(ledger.failed)}`,
    ...(waits === '' ? [] : [`waiting: ${waits}`]),
  ].join('  ')
}

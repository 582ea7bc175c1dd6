// Records where the time of a crawl goes. About ten times a second the request slots of a loop are sampled; nothing is
// recorded per page. The time between two samples is attributed to what the second one saw.
//
// A free slot waits for whatever keeps the leased hosts from using it, so free slots are distributed in proportion to
// the taken slots and the waiting hosts. Samples are taken between pages, so a busy thread never samples itself parsing;
// responses waiting in its sockets look like a slow origin. Their number is estimated from how busy the thread is
// (`queueLengthAt`).

import { type CrawlFigures, PHASES, type Phase } from '../../../ports/workers.ts'

export type PhaseTimes = CrawlFigures['phases']

export interface PhaseSample {
  slots: number
  /** A hold keeps everything from starting. */
  isOnHold: boolean
  /** What blocks the commits in flight, if nothing may start before one of them ends. */
  commitsBlockedBy: 'store' | 'archive' | null
  /** Taken slots by activity. */
  taken: Record<'dns' | 'connect' | 'origin' | 'parse' | 'renderer' | 'hooks', number>
  /** Hosts (and a poll for leases) that could use a slot but wait, by reason. */
  waiting: Record<'politeness' | 'dns' | 'origin' | 'documents' | 'renderer' | 'proxy' | 'hooks' | 'store', number>
}

export const NONE_WAITING: Readonly<PhaseSample['waiting']> = {
  politeness: 0,
  dns: 0,
  origin: 0,
  documents: 0,
  renderer: 0,
  proxy: 0,
  hooks: 0,
  store: 0,
}

const CELLS = 60
const CELL_MS = 1000
/** Cap for the time between samples: a machine that slept was not crawling. */
const MAX_STEP_MS = 5000
const WIDTH = PHASES.length

export class PhaseRecorder {
  /** Slot time in ms: one row of phases per second of the last minute. */
  readonly #cells = new Float64Array(CELLS * WIDTH)
  #second: number
  #sampledAt: number

  constructor(now: number) {
    this.#second = Math.floor(now / CELL_MS)
    this.#sampledAt = now
  }

  /** `queueLength`: responses that wait for this thread (`queueLengthAt`). */
  add(phaseSample: PhaseSample, queueLength: number, now: number): void {
    this.#advanceTo(Math.floor(now / CELL_MS))
    const elapsedMs = Math.min(MAX_STEP_MS, Math.max(0, now - this.#sampledAt))
    this.#sampledAt = now
    const row = (this.#second % CELLS) * WIDTH
    const slots = distributeSlots(phaseSample, queueLength)
    for (const [i, phase] of PHASES.entries()) {
      const at = row + i
      this.#cells[at] = (this.#cells[at] ?? 0) + slots[phase] * elapsedMs
    }
  }

  /** Slot time of the last minute. Phases without any are left out. */
  lastMinute(now: number): PhaseTimes {
    this.#advanceTo(Math.floor(now / CELL_MS))
    const times: PhaseTimes = {}
    for (const [i, phase] of PHASES.entries()) {
      let sum = 0
      for (let at = i; at < this.#cells.length; at += WIDTH) sum += this.#cells[at] ?? 0
      if (sum >= 0.5) times[phase] = Math.round(sum)
    }
    return times
  }

  /** Clears the cells of the seconds that started since the last call. */
  #advanceTo(second: number): void {
    const passed = Math.min(CELLS, second - this.#second)
    for (let i = 1; i <= passed; i++) {
      const row = ((this.#second + i) % CELLS) * WIDTH
      this.#cells.fill(0, row, row + WIDTH)
    }
    if (second > this.#second) this.#second = second
  }
}

/** Mean number of responses waiting or being processed on a thread that is busy for this share of the time (M/D/1). */
export function queueLengthAt(busy: number): number {
  return busy >= 1 ? Number.POSITIVE_INFINITY : busy + (busy * busy) / (2 * (1 - busy))
}

function distributeSlots(
  { slots, isOnHold, commitsBlockedBy, taken, waiting }: PhaseSample,
  queueLength: number,
): Record<Phase, number> {
  const unread = Math.min(taken.origin, queueLength)
  const busy = { ...taken, origin: taken.origin - unread, parse: taken.parse + unread }
  const counts = { politeness: 0, documents: 0, proxy: 0, store: 0, archive: 0, idle: 0, held: 0, ...busy }
  const takenSlots = Object.values(taken).reduce((sum, slots) => sum + slots, 0)
  const free = Math.max(0, slots - takenSlots)
  const total = takenSlots + Object.values(waiting).reduce((sum, hosts) => sum + hosts, 0)
  if (isOnHold) counts.held += free
  else if (commitsBlockedBy !== null) counts[commitsBlockedBy] += free
  else if (total === 0) counts.idle += free
  else {
    const share = free / total
    for (const phase of ['dns', 'connect', 'origin', 'parse', 'renderer', 'hooks'] as const)
      counts[phase] += busy[phase] * share
    for (const phase of ['politeness', 'dns', 'origin', 'documents', 'renderer', 'proxy', 'hooks', 'store'] as const)
      counts[phase] += waiting[phase] * share
  }
  return counts
}

/**
 * Merges the times of several threads or workers. A thread with nothing to do waits for the others, so the crawl was
 * idle only for the share of time in which all of them were.
 */
export function mergePhases(all: PhaseTimes[]): PhaseTimes {
  const merged: PhaseTimes = {}
  let everything = 0
  let idleShare = 1
  for (const times of all) {
    const total = totalPhaseMs(times)
    if (total === 0) continue
    everything += total
    idleShare = Math.min(idleShare, (times.idle ?? 0) / total)
    for (const phase of PHASES) {
      const ms = times[phase] ?? 0
      if (ms > 0 && phase !== 'idle') merged[phase] = (merged[phase] ?? 0) + ms
    }
  }
  const idleMs = Math.round(idleShare * everything)
  if (idleMs > 0) merged.idle = idleMs
  return merged
}

export function totalPhaseMs(times: PhaseTimes): number {
  return PHASES.reduce((sum, phase) => sum + (times[phase] ?? 0), 0)
}

// Finds threads that no longer turn their event loop. A thread bumps a counter in shared memory ten times a second; one
// whose counter stands still while it uses the processor is stalled. Time on the clock says nothing: a thread may wait
// for the processor of a busy machine, and a machine may sleep. Only a thread that neither turns nor computes for very
// long, as one that is stuck in a system call, is judged by how often it was looked at.

import type { Worker } from 'node:worker_threads'

export interface StallLimits {
  pollMs: number
  /** Processor time without a turn of the event loop. */
  cpuMs: number
  /** Looks without a turn, whatever the thread does. */
  polls: number
}

/** Once a second; five minutes of silence are enough, also without any processor time. */
export const STALL_POLLING = { pollMs: 1_000, polls: 300 } satisfies Partial<StallLimits>

const PULSE_MS = 100

export function newPulse(): SharedArrayBuffer {
  return new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)
}

/** The thread's side. Keeps no thread from ending. */
export function startPulse(pulse: SharedArrayBuffer): void {
  const beats = new Int32Array(pulse)
  // The first beat shows that its code is loaded: it may stall before the second.
  Atomics.add(beats, 0, 1)
  setInterval(() => Atomics.add(beats, 0, 1), PULSE_MS).unref()
}

interface WatchedThread {
  beats: Int32Array
  /** When last looked at. */
  lastBeats: number
  silentPolls: number
  /** Processor time at the first silent look; null while that is not known. */
  cpuMsBefore: number | null
}

export interface StallEvents {
  /** It has not turned since the last look; called again with every further one. `looks` counts them. */
  onSilent(thread: Worker, looks: number): void
  /** Called once. */
  onStalled(thread: Worker): void
}

export class StallWatch {
  readonly #limits: StallLimits
  readonly #events: StallEvents
  readonly #watched = new Map<Worker, WatchedThread>()
  readonly #timer: NodeJS.Timeout

  constructor(limits: StallLimits, events: StallEvents) {
    this.#limits = limits
    this.#events = events
    this.#timer = setInterval(() => this.#poll(), limits.pollMs).unref()
  }

  add(thread: Worker, pulse: SharedArrayBuffer): void {
    this.#watched.set(thread, { beats: new Int32Array(pulse), lastBeats: 0, silentPolls: 0, cpuMsBefore: null })
    thread.once('exit', () => this.#watched.delete(thread))
  }

  remove(thread: Worker): void {
    this.#watched.delete(thread)
  }

  close(): void {
    clearInterval(this.#timer)
    this.#watched.clear()
  }

  #poll(): void {
    for (const [thread, watched] of this.#watched) {
      const beats = Atomics.load(watched.beats, 0)
      // It has not begun to beat while it loads its code.
      if (beats === 0 || beats !== watched.lastBeats) {
        watched.lastBeats = beats
        watched.silentPolls = 0
        watched.cpuMsBefore = null
        continue
      }
      watched.silentPolls += 1
      this.#events.onSilent(thread, watched.silentPolls)
      if (!this.#watched.has(thread)) continue
      if (watched.silentPolls >= this.#limits.polls) this.#reportStalled(thread)
      else void this.#measureCpu(thread, watched, beats)
    }
  }

  /** A thread answers this between any two steps of a script, but not from within a system call. */
  async #measureCpu(thread: Worker, watchedThread: WatchedThread, beats: number): Promise<void> {
    const usage = await thread.cpuUsage().catch(() => null)
    if (usage === null || this.#watched.get(thread) !== watchedThread || Atomics.load(watchedThread.beats, 0) !== beats)
      return
    const cpuMs = (usage.user + usage.system) / 1000
    watchedThread.cpuMsBefore ??= cpuMs
    if (cpuMs - watchedThread.cpuMsBefore >= this.#limits.cpuMs) this.#reportStalled(thread)
  }

  #reportStalled(thread: Worker): void {
    this.#watched.delete(thread)
    this.#events.onStalled(thread)
  }
}

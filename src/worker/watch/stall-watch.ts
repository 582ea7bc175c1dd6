// Finds threads whose event loop no longer turns. A thread increments a counter in shared memory (its pulse) ten times
// a second; a thread whose pulse stops while it uses CPU time is stalled. Wall-clock time proves nothing: a thread may
// wait for a CPU on a busy machine, and a machine may sleep. Only a thread that shows no pulse for very long without
// using CPU time, for example one stuck in a system call, is judged by the number of polls.

import type { Worker } from 'node:worker_threads'

export interface StallLimits {
  pollMs: number
  /** CPU time without a turn of the event loop. */
  cpuMs: number
  /** Polls without a turn of the event loop, with or without CPU time. */
  polls: number
}

/** Once a second. After five minutes without a pulse a thread is stalled even if it used no CPU time. */
export const STALL_POLLING = { pollMs: 1_000, polls: 300 } satisfies Partial<StallLimits>

const PULSE_MS = 100

export function newPulse(): SharedArrayBuffer {
  return new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)
}

/** Called in the watched thread. The timer does not keep the thread alive. */
export function startPulse(pulse: SharedArrayBuffer): void {
  const beats = new Int32Array(pulse)
  // The first beat shows that the thread's code is loaded. It may stall before the second.
  Atomics.add(beats, 0, 1)
  setInterval(() => Atomics.add(beats, 0, 1), PULSE_MS).unref()
}

interface WatchedThread {
  beats: Int32Array
  /** As of the last poll. */
  lastBeats: number
  silentPolls: number
  /** CPU time at the first silent poll; null if not known yet. */
  cpuMsBefore: number | null
}

export interface StallEvents {
  /** The pulse has not changed since the last poll. `silentPolls` counts the polls without a change. */
  onSilent(thread: Worker, silentPolls: number): void
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
      // No beat yet: the thread is still loading its code.
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

  /** A thread responds to this between any two JavaScript instructions, but not within a system call. */
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

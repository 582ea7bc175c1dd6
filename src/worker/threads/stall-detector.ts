// Finds threads whose event loop no longer turns. A thread increments a counter in shared memory (its pulse) ten times
// a second; a thread whose pulse stops while it uses CPU time is stalled. Wall-clock time proves nothing: a thread may
// wait for a CPU on a busy machine, and a machine may sleep. The number of polls decides only about a thread that
// shows no pulse for very long without using CPU time, for example one stuck in a system call.

import type { Worker } from 'node:worker_threads'

export interface StallLimits {
  pollMs: number
  /** CPU time without a turn of the event loop. */
  cpuMs: number
  /** Polls without a turn of the event loop, with or without CPU time. */
  polls: number
}

/** Polls once a second. After five minutes without a pulse a thread is stalled even if it used no CPU time. */
export const STALL_POLLING = { pollMs: 1_000, polls: 300 } satisfies Partial<StallLimits>

const PULSE_MS = 100

export function newPulse(): SharedArrayBuffer {
  return new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)
}

/** Called in the polled thread. The timer does not keep the thread alive. */
export function startPulse(pulse: SharedArrayBuffer): void {
  const beats = new Int32Array(pulse)
  // The first beat shows that the thread's code is loaded. It may stall before the second.
  Atomics.add(beats, 0, 1)
  setInterval(() => Atomics.add(beats, 0, 1), PULSE_MS).unref()
}

interface PolledThread {
  beats: Int32Array
  /** Pulse counter at the last poll. */
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

export class StallDetector {
  readonly #limits: StallLimits
  readonly #events: StallEvents
  readonly #threads = new Map<Worker, PolledThread>()
  readonly #timer: NodeJS.Timeout

  constructor(limits: StallLimits, events: StallEvents) {
    this.#limits = limits
    this.#events = events
    this.#timer = setInterval(() => this.#poll(), limits.pollMs).unref()
  }

  add(thread: Worker, pulse: SharedArrayBuffer): void {
    this.#threads.set(thread, { beats: new Int32Array(pulse), lastBeats: 0, silentPolls: 0, cpuMsBefore: null })
    thread.once('exit', () => this.#threads.delete(thread))
  }

  remove(thread: Worker): void {
    this.#threads.delete(thread)
  }

  close(): void {
    clearInterval(this.#timer)
    this.#threads.clear()
  }

  #poll(): void {
    for (const [thread, polled] of this.#threads) {
      const beats = Atomics.load(polled.beats, 0)
      // No beat yet: the thread is still loading its code.
      if (beats === 0 || beats !== polled.lastBeats) {
        polled.lastBeats = beats
        polled.silentPolls = 0
        polled.cpuMsBefore = null
        continue
      }
      polled.silentPolls += 1
      this.#events.onSilent(thread, polled.silentPolls)
      if (!this.#threads.has(thread)) continue
      if (polled.silentPolls >= this.#limits.polls) this.#reportStalled(thread)
      else void this.#measureCpu(thread, polled, beats)
    }
  }

  /** A thread responds to this between any two JavaScript instructions, but not within a system call. */
  async #measureCpu(thread: Worker, polledThread: PolledThread, beats: number): Promise<void> {
    const usage = await thread.cpuUsage().catch(() => null)
    if (usage === null || this.#threads.get(thread) !== polledThread || Atomics.load(polledThread.beats, 0) !== beats)
      return
    const cpuMs = (usage.user + usage.system) / 1000
    polledThread.cpuMsBefore ??= cpuMs
    if (cpuMs - polledThread.cpuMsBefore >= this.#limits.cpuMs) this.#reportStalled(thread)
  }

  #reportStalled(thread: Worker): void {
    this.#threads.delete(thread)
    this.#events.onStalled(thread)
  }
}

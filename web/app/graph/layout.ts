// The page's side of the layout thread. A generation is one graph that was handed over; places of an earlier one that are
// still under way are dropped.

import type { Matrices } from './matrices.ts'

export type ToLayout =
  | { kind: 'graph'; generation: number; matrices: Matrices; share: number }
  | { kind: 'taken' }
  | { kind: 'pause'; isPaused: boolean }

export interface FromLayout {
  generation: number
  places: Float32Array<ArrayBuffer>
  isSettled: boolean
}

export interface Layout {
  /** Starts over with a graph; share is how much of the usual number of steps it gets. */
  start(matrices: Matrices, share: number): void
  setPaused(isPaused: boolean): void
  close(): void
}

export function openLayout(onPlaces: (places: Float32Array, isSettled: boolean) => void): Layout {
  const worker = new Worker(new URL('./layout.worker.ts', import.meta.url), { type: 'module', name: 'graph layout' })
  let generation = 0
  let frame = 0

  function send(message: ToLayout, transfer: Transferable[] = []): void {
    worker.postMessage(message, transfer)
  }

  worker.addEventListener('message', ({ data }: MessageEvent<FromLayout>) => {
    if (data.generation !== generation) return
    // Drawn in one frame and the next asked for in the one after, so that half of the frames are left for the reader.
    frame = requestAnimationFrame(() => {
      if (data.generation !== generation) return
      onPlaces(data.places, data.isSettled)
      frame = requestAnimationFrame(() => send({ kind: 'taken' }))
    })
  })

  return {
    start(matrices, share) {
      generation += 1
      send({ kind: 'graph', generation, matrices, share }, [matrices.nodes.buffer, matrices.edges.buffer])
    },
    setPaused(isPaused) {
      send({ kind: 'pause', isPaused })
    },
    close() {
      cancelAnimationFrame(frame)
      worker.terminate()
    },
  }
}

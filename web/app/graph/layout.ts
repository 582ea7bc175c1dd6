// The page's side of the layout thread. A generation is one graph that was handed over; places of an earlier one that are
// still under way are dropped.

import type { LayoutMatrices } from './layout-matrices.ts'

export type LayoutRequest =
  | { kind: 'graph'; generation: number; matrices: LayoutMatrices; share: number }
  | { kind: 'taken' }
  | { kind: 'pause'; isPaused: boolean }

export interface LayoutUpdate {
  generation: number
  positions: Float32Array<ArrayBuffer>
  isSettled: boolean
}

export interface Layout {
  /** Starts over with a graph; share is how much of the usual number of steps it gets. */
  start(layoutMatrices: LayoutMatrices, share: number): void
  setPaused(isPaused: boolean): void
  close(): void
}

export function openLayout(onPlaces: (places: Float32Array, isSettled: boolean) => void): Layout {
  const worker = new Worker(new URL('./layout-thread.ts', import.meta.url), { type: 'module', name: 'graph layout' })
  let generation = 0
  let frame = 0

  function send(message: LayoutRequest, transfer: Transferable[] = []): void {
    worker.postMessage(message, transfer)
  }

  worker.addEventListener('message', ({ data }: MessageEvent<LayoutUpdate>) => {
    if (data.generation !== generation) return
    // Drawn in one frame and the next asked for in the one after, so that half of the frames are left for the reader.
    frame = requestAnimationFrame(() => {
      if (data.generation !== generation) return
      onPlaces(data.positions, data.isSettled)
      frame = requestAnimationFrame(() => send({ kind: 'taken' }))
    })
  })

  return {
    start(layoutMatrices, share) {
      generation += 1
      send({ kind: 'graph', generation, matrices: layoutMatrices, share }, [
        layoutMatrices.nodes.buffer,
        layoutMatrices.edges.buffer,
      ])
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

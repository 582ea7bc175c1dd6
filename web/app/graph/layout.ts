// The page's side of the layout thread. Each graph passed to it is a generation; positions of an earlier generation are
// dropped.

import type { LayoutMatrices } from './layout-matrices.ts'

export type LayoutRequest =
  | { kind: 'graph'; generation: number; matrices: LayoutMatrices; share: number }
  | { kind: 'applied' }
  | { kind: 'pause'; isPaused: boolean }

export interface LayoutUpdate {
  generation: number
  positions: Float32Array<ArrayBuffer>
  isSettled: boolean
}

export interface Layout {
  /** Restarts with a graph. `share` is the fraction of the usual number of steps. */
  start(matrices: LayoutMatrices, share: number): void
  setPaused(isPaused: boolean): void
  close(): void
}

export function openLayout(onPositions: (positions: Float32Array, isSettled: boolean) => void): Layout {
  const worker = new Worker(new URL('./layout-thread.ts', import.meta.url), { type: 'module', name: 'graph layout' })
  let generation = 0
  let frame = 0

  function send(message: LayoutRequest, transfer: Transferable[] = []): void {
    worker.postMessage(message, transfer)
  }

  worker.addEventListener('message', ({ data }: MessageEvent<LayoutUpdate>) => {
    if (data.generation !== generation) return
    // Applies positions in one frame and requests the next in the following one, so half of the frames stay free.
    frame = requestAnimationFrame(() => {
      if (data.generation !== generation) return
      onPositions(data.positions, data.isSettled)
      frame = requestAnimationFrame(() => send({ kind: 'applied' }))
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

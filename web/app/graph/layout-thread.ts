// The layout in a thread of its own. It works at its own pace until its steps are done, and sends places only when those
// before have been taken, so that a slow page is never flooded.

import type { LayoutRequest, LayoutUpdate } from './layout.ts'
import { type LayoutMatrices, layoutStepCount, nodeCount, readPositions, runLayoutStep } from './layout-matrices.ts'

const SLICE_MS = 24

/** The part of a worker's global scope that is used; the types of the page do not know it. */
interface ThreadScope {
  postMessage(message: LayoutUpdate, transfer: Transferable[]): void
  addEventListener(type: 'message', listener: (event: MessageEvent<LayoutRequest>) => void): void
}

function runLayout(threadScope: ThreadScope): void {
  let matrices: LayoutMatrices | null = null
  let generation = 0
  let step = 0
  let steps = 0
  /** The step of the places that were sent last. */
  let told = 0
  let isPaused = false
  let isTaken = true
  let timer: ReturnType<typeof setTimeout> | null = null

  function wake(): void {
    if (timer === null && matrices !== null && !isPaused && step < steps) timer = setTimeout(work, 0)
  }

  function work(): void {
    timer = null
    if (matrices === null || isPaused) return
    const until = performance.now() + SLICE_MS
    do {
      runLayoutStep(matrices, step, steps)
      step += 1
    } while (step < steps && performance.now() < until)
    tell()
    wake()
  }

  function tell(): void {
    if (matrices === null || !isTaken || step === told) return
    const places = readPositions(matrices)
    isTaken = false
    told = step
    threadScope.postMessage({ generation, positions: places, isSettled: step >= steps }, [places.buffer])
  }

  threadScope.addEventListener('message', ({ data }) => {
    switch (data.kind) {
      case 'graph':
        matrices = data.matrices
        generation = data.generation
        step = 0
        told = 0
        steps = Math.round(layoutStepCount(nodeCount(data.matrices)) * data.share)
        isTaken = true
        break
      case 'taken':
        isTaken = true
        tell()
        break
      case 'pause':
        isPaused = data.isPaused
        break
    }
    wake()
  })
}

runLayout(self as unknown as ThreadScope)

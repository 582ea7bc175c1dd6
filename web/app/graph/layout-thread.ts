// Runs the layout in a web worker. It sends positions only after the page has applied the previous ones, so a slow page
// is not flooded.

import type { LayoutRequest, LayoutUpdate } from './layout.ts'
import { type LayoutMatrices, layoutStepCount, nodeCount, readPositions, runLayoutStep } from './layout-matrices.ts'

const SLICE_MS = 24

/** The part of the worker's global scope in use; the DOM types do not declare it. */
interface ThreadScope {
  postMessage(message: LayoutUpdate, transfer: Transferable[]): void
  addEventListener(type: 'message', listener: (event: MessageEvent<LayoutRequest>) => void): void
}

function runLayout(threadScope: ThreadScope): void {
  let matrices: LayoutMatrices | null = null
  let generation = 0
  let step = 0
  let steps = 0
  /** The step of the last positions sent. */
  let sentStep = 0
  let isPaused = false
  let isApplied = true
  let timer: ReturnType<typeof setTimeout> | null = null

  function schedule(): void {
    if (timer === null && matrices !== null && !isPaused && step < steps) timer = setTimeout(runSlice, 0)
  }

  function runSlice(): void {
    timer = null
    if (matrices === null || isPaused) return
    const until = performance.now() + SLICE_MS
    do {
      runLayoutStep(matrices, step, steps)
      step += 1
    } while (step < steps && performance.now() < until)
    sendPositions()
    schedule()
  }

  function sendPositions(): void {
    if (matrices === null || !isApplied || step === sentStep) return
    const positions = readPositions(matrices)
    isApplied = false
    sentStep = step
    threadScope.postMessage({ generation, positions, isSettled: step >= steps }, [positions.buffer])
  }

  threadScope.addEventListener('message', ({ data }) => {
    switch (data.kind) {
      case 'graph':
        matrices = data.matrices
        generation = data.generation
        step = 0
        sentStep = 0
        steps = Math.round(layoutStepCount(nodeCount(data.matrices)) * data.share)
        isApplied = true
        break
      case 'applied':
        isApplied = true
        sendPositions()
        break
      case 'pause':
        isPaused = data.isPaused
        break
    }
    schedule()
  })
}

runLayout(self as unknown as ThreadScope)

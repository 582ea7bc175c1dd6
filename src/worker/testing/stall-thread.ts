// A thread for tests that has a pulse until it receives a message to spin or to block.

import { parentPort, workerData } from 'node:worker_threads'
import { startPulse } from '../threads/stall-detector.ts'

startPulse(workerData as SharedArrayBuffer)
parentPort?.on('message', (what: 'spin' | 'wait') => {
  if (what === 'wait') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
  for (;;);
})
parentPort?.postMessage('ready')

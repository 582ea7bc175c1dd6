import { parentPort, workerData } from 'node:worker_threads'
import { fuzzTarget } from './fuzz.ts'
import type { FuzzThreadPlan } from './fuzz-in-thread.ts'
import { findTarget } from './targets/targets.ts'

const { target, progress, ...plan } = workerData as FuzzThreadPlan
const starting = (seed: number) => {
  Atomics.store(progress, 0, seed)
  Atomics.add(progress, 1, 1)
}
parentPort?.postMessage(await fuzzTarget(findTarget(target), { ...plan, starting }))

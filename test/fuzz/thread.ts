import { parentPort, workerData } from 'node:worker_threads'
import { fuzz } from './fuzz.ts'
import { findTarget } from './targets/list.ts'
import type { ThreadPlan } from './watch.ts'

const { target, progress, ...plan } = workerData as ThreadPlan
const starting = (seed: number) => {
  Atomics.store(progress, 0, seed)
  Atomics.add(progress, 1, 1)
}
parentPort?.postMessage(await fuzz(findTarget(target), { ...plan, starting }))

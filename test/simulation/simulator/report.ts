// The output of `npm run simulate`.

import type { StoreName } from './cluster/simulated-store.ts'
import { describeFault, type FaultKind } from './planned-faults.ts'
import type { FailedRun } from './shrink-plan.ts'

export interface SimulationTotals {
  seeds: number
  tookMs: number
  steps: number
  faults: Map<FaultKind, number>
}

const MAX_LINES = 120

export function addFaults(to: Map<FaultKind, number>, from: Map<FaultKind, number>): void {
  for (const [kind, count] of from) to.set(kind, (to.get(kind) ?? 0) + count)
}

export function printTotals({ seeds, tookMs, steps, faults }: SimulationTotals): void {
  const perSecond = ((seeds / tookMs) * 1000).toFixed(1)
  console.log(`${formatCount(seeds)} seeds, ${perSecond} a second, ${formatCount(steps)} events`)
  for (const [kind, count] of [...faults].sort(([, a], [, b]) => b - a)) {
    console.log(`  ${kind.padEnd(16)} ${formatCount(count).padStart(8)}`)
  }
}

export function printFailure(seed: number, failedRun: FailedRun): void {
  const { plan, trace } = failedRun
  console.log(`\nseed ${seed} breaks ${trace.violation?.promise}: ${trace.violation?.detail}`)
  for (const plannedFault of plan.faults) console.log(`  ${describeFault(plannedFault)}`)
}

/** Prints the smallest plan that was found, and its trace. */
export function printShrunkFailure({ plan, trace }: FailedRun, store: StoreName): void {
  const { faults, seed, ...rest } = plan
  console.log(`\nmade smaller (${faults.length} faults): ${JSON.stringify(rest)}`)
  for (const plannedFault of faults) console.log(`  ${describeFault(plannedFault)}`)
  const lines = trace.lines.filter((line) => !line.endsWith('leases nothing'))
  if (lines.length > MAX_LINES) console.log(`  ... ${lines.length - MAX_LINES} lines`)
  for (const line of lines.slice(-MAX_LINES)) console.log(line)
  console.log(`\nreplay: ${replayCommand(seed, store)}`)
}

/** The command can be pasted as it is. */
export function replayCommand(seed: number, store: StoreName): string {
  return `npm run simulate -- --seed ${seed} --store ${store}`
}

export function formatCount(value: number): string {
  return Math.round(value).toLocaleString('en-US')
}

// What `npm run simulate` prints.

import { describeFault, type FaultKind } from './faults.ts'
import type { Failure } from './shrink.ts'
import type { StoreName } from './stores.ts'

export interface Totals {
  seeds: number
  tookMs: number
  steps: number
  faults: Map<FaultKind, number>
}

const MAX_LINES = 120

export function addFaults(to: Map<FaultKind, number>, from: Map<FaultKind, number>): void {
  for (const [kind, count] of from) to.set(kind, (to.get(kind) ?? 0) + count)
}

export function printTotals({ seeds, tookMs, steps, faults }: Totals): void {
  const perSecond = ((seeds / tookMs) * 1000).toFixed(1)
  console.log(`${format(seeds)} seeds, ${perSecond} a second, ${format(steps)} events`)
  for (const [kind, count] of [...faults].sort(([, a], [, b]) => b - a)) {
    console.log(`  ${kind.padEnd(16)} ${format(count).padStart(8)}`)
  }
}

export function printFailure(seed: number, failure: Failure): void {
  const { plan, trace } = failure
  console.log(`\nseed ${seed} breaks ${trace.broken?.promise}: ${trace.broken?.detail}`)
  for (const fault of plan.faults) console.log(`  ${describeFault(fault)}`)
}

/** The smallest plan that was found, and what happened in it. */
export function printLeast({ plan, trace }: Failure, store: StoreName): void {
  const { faults, seed, ...rest } = plan
  console.log(`\nmade smaller (${faults.length} faults): ${JSON.stringify(rest)}`)
  for (const fault of faults) console.log(`  ${describeFault(fault)}`)
  const lines = trace.lines.filter((line) => !line.endsWith('leases nothing'))
  if (lines.length > MAX_LINES) console.log(`  ... ${lines.length - MAX_LINES} lines`)
  for (const line of lines.slice(-MAX_LINES)) console.log(line)
  console.log(`\nreplay: ${replayLine(seed, store)}`)
}

/** Can be pasted as it is. */
export function replayLine(seed: number, store: StoreName): string {
  return `npm run simulate -- --seed ${seed} --store ${store}`
}

export function format(value: number): string {
  return Math.round(value).toLocaleString('en-US')
}

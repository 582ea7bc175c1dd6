// Runs a benchmark that consists of several parts.

import { parseArgs } from 'node:util'
import { runToExitCode } from '../../test/testing/run-to-exit-code.ts'
import { exitOnSignals, makeWorkspace, type Workspace } from '../../test/testing/workspace.ts'

type Part<Sizes> = (sizes: Sizes, workspace: Workspace) => Promise<boolean>

/** --only selects one part, --quick uses the small sizes. */
export function runBenchParts<Sizes>(
  parts: Record<string, Part<Sizes>>,
  sizes: { full: Sizes; quick: Sizes },
): Promise<void> {
  return runToExitCode(async () => {
    const { values } = parseArgs({ options: { quick: { type: 'boolean' }, only: { type: 'string' } } })
    const names = Object.keys(parts)
    const chosen = Object.entries(parts).filter(([name]) => values.only === undefined || values.only === name)
    if (chosen.length === 0) throw new Error(`--only must be one of ${names.join(', ')}.`)
    exitOnSignals()
    const workspace = makeWorkspace()
    let isGood = true
    try {
      for (const [, part] of chosen) isGood = (await part(values.quick ? sizes.quick : sizes.full, workspace)) && isGood
    } finally {
      workspace.remove()
    }
    return isGood
  })
}

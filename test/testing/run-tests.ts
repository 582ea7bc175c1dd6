// `npm run test:unit` and `npm run test:e2e`. A test file normally runs in a separate process, which loads the sources
// again. If files change nothing that others see, all files of some folders share a process: the unit tests take a
// quarter less CPU. The processes run in parallel.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { stripVTControlCharacters } from 'node:util'
import { globalSetup } from './global-setup.ts'

interface Suite {
  files: string[]
  /** Groups of files that share a process; the first pattern that matches a file decides. */
  shared: RegExp[]
  /** Number of other files that run at a time. */
  concurrency: number
  timeoutMs: number
}

const SUITES: Record<string, Suite> = {
  unit: {
    files: ['src/**/*.test.ts', 'web/app/**/*.test.ts'],
    shared: [
      /^src\/(engine|lib|config|frontier|audit|changes|monitor|cli|search\/(analyse|query|rank|snippet))\//,
      /^src\/(api|archive|compat)\//,
      /^src\/(store|search)\/.*postgres/,
      /^src\/(library|search|setup|store)\//,
    ],
    concurrency: 1,
    timeoutMs: 300_000,
  },
  e2e: { files: ['test/**/*.test.ts'], shared: [/^test\/simulation\//], concurrency: 5, timeoutMs: 600_000 },
}
const cwd = fileURLToPath(new URL('../../', import.meta.url))

const suite = SUITES[process.argv[2] ?? '']
if (suite === undefined) throw new Error(`Usage: run-tests.ts ${Object.keys(SUITES).join('|')}`)
await globalSetup()
process.exitCode = Math.max(...(await Promise.all(runSuite(suite))))

function runSuite({ files: patterns, shared, concurrency, timeoutMs }: Suite): Promise<number>[] {
  const files = globSync(patterns, { cwd }).filter((file) => !/\.(long|engine)\.test\.ts$/.test(file))
  const groups = Map.groupBy(files, (file) => shared.findIndex((pattern) => pattern.test(file)))
  return Array.from(groups, ([group, members]) => {
    const isolation = group === -1 ? `--test-concurrency=${concurrency}` : '--test-isolation=none'
    return runFiles([`--test-timeout=${timeoutMs}`, isolation, ...members], group === -1 ? 'inherit' : 'pipe')
  })
}

/**
 * Returns the exit code. Piped output is printed at the end, so that it does not mix with that of other processes. If
 * there is no summary, a test has ended the process of its group.
 */
async function runFiles(args: string[], stdout: 'pipe' | 'inherit'): Promise<number> {
  const child = spawn(process.execPath, ['--test', ...args], { cwd, stdio: ['ignore', stdout, 'inherit'] })
  const exit = once(child, 'exit') as Promise<[number | null]>
  const output = child.stdout === null ? null : await text(child.stdout)
  const [code] = await exit
  if (output === null) return code ?? 1
  process.stdout.write(output)
  if (/^\S+ tests \d+$/m.test(stripVTControlCharacters(output))) return code ?? 1
  console.error('A test ended its process, so other tests of its group did not run.')
  return 1
}

// `npm run test:unit`: the tests beside the code. Each file normally runs in a process of its own, which loads the
// sources anew. Files without databases, threads and processes share one, at half the CPU; it runs beside the others.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

const SHARED = /^src\/(engine|lib|config|frontier|audit|changes|monitor|cli|search\/(analyse|query|rank|snippet))\//
const FLAGS = [
  '--test',
  '--test-timeout=300000',
  `--test-global-setup=${fileURLToPath(new URL('./global-setup.ts', import.meta.url))}`,
]
const cwd = fileURLToPath(new URL('../../', import.meta.url))

const files = globSync(['src/**/*.test.ts', 'web/app/**/*.test.ts'], { cwd }).filter(
  (file) => !/\.long\.test\.ts$/.test(file),
)
const inOneProcess = run(['--test-isolation=none', ...files.filter((file) => SHARED.test(file))], 'pipe')
const inOwnProcesses = run(['--test-concurrency=3', ...files.filter((file) => !SHARED.test(file))], 'inherit')
const output = inOneProcess.stdout === null ? '' : text(inOneProcess.stdout)
const codes = await Promise.all([exitCode(inOneProcess), exitCode(inOwnProcesses)])
process.stdout.write(await output)
process.exitCode = Math.max(...codes)

function run(args: string[], stdout: 'pipe' | 'inherit') {
  return spawn(process.execPath, [...FLAGS, ...args], { cwd, stdio: ['ignore', stdout, 'inherit'] })
}

async function exitCode(child: ReturnType<typeof run>): Promise<number> {
  const [code] = (await once(child, 'exit')) as [number | null]
  return code ?? 1
}

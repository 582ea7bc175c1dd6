// Tries every mutation on a copy of the sources: each must make some seed fail, or the contract that it names.

import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Mutation } from './mutation.ts'
import { MUTATIONS } from './mutations.ts'

const ROOT = join(import.meta.dirname, '../../..')
const COPIED = ['package.json', 'src', 'test/simulation', 'test/sites']
/** A mutation may make a simulation run endlessly. */
const MAX_MS = 1_800_000

/** Tries mutations whose names contain the text; returns true if all of them were caught. */
export async function tryMutations(seeds: number, only: string): Promise<boolean> {
  const wanted = MUTATIONS.filter(({ name }) => name.includes(only))
  const dir = mkdtempSync(join(tmpdir(), 'orbweaver-mutations-'))
  try {
    for (const path of COPIED) cpSync(join(ROOT, path), join(dir, path), { recursive: true })
    symlinkSync(join(ROOT, 'node_modules'), join(dir, 'node_modules'))
    let missed = 0
    for (const mutation of wanted) {
      const caught = tryMutation(dir, mutation, seeds)
      if (caught === null) missed += 1
      console.log(
        `| ${mutation.name} | ${caught ?? `not caught by ${seeds} seeds, or in ${MAX_MS / 60_000} minutes`} |`,
      )
    }
    console.log(missed === 0 ? `all ${wanted.length} were caught` : `${missed} of ${wanted.length} were not caught`)
    return missed === 0
  } finally {
    rmSync(dir, { recursive: true })
  }
}

/** The test that detected the mutation; null if none did. */
function tryMutation(dir: string, mutation: Mutation, seeds: number): string | null {
  const { name, file, from, to } = mutation
  const path = join(dir, file)
  const text = readFileSync(path, 'utf8')
  if (text.split(from).length !== 2) throw new Error(`"${name}" does not apply: ${file} has not exactly one "${from}"`)
  writeFileSync(
    path,
    text.replace(from, () => to),
  )
  try {
    return mutation.contract === undefined ? simulate(dir, name, seeds) : failedCase(dir, mutation.contract)
  } finally {
    writeFileSync(path, text)
  }
}

/** The broken guarantee and its seed; null if all seeds passed. */
function simulate(dir: string, name: string, seeds: number): string | null {
  const { status, stdout, stderr } = runNode(dir, ['test/simulation/simulate.ts', '--seeds', String(seeds), '--raw'])
  // Null means a timeout. The machine may be slow, so nothing was caught, and the other mutations are still tried.
  if (status === 0 || status === null) return null
  const [, seed, promise] = /^seed (\d+) breaks ([^:]+):/m.exec(stdout) ?? []
  if (seed === undefined) throw new Error(`"${name}" brought the simulation down: ${stderr.slice(0, 1000)}`)
  return `${promise} | ${seed}`
}

/** The first test of the file that fails; null if none does. */
function failedCase(dir: string, file: string): string | null {
  const { status, stdout, stderr } = runNode(dir, ['--test', '--test-reporter=tap', file])
  if (status === 0) return null
  const failed = [...stdout.matchAll(/^ *not ok \d+ - (.+)$/gm)][0]?.[1]
  if (failed === undefined) throw new Error(`${file} did not run: ${stderr.slice(0, 1000)}`)
  return `${failed} | ${file}`
}

function runNode(dir: string, args: string[]) {
  return spawnSync(process.execPath, args, { cwd: dir, encoding: 'utf8', timeout: MAX_MS })
}

// Finds a Java of the machine, by its version.

import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { findProgram } from '../find-program.ts'

const INSTALLED = '/usr/lib/jvm'

/** The folder with the oldest one from `min` to `max`. */
export async function findJava({ min, max }: { min: number; max: number }): Promise<string> {
  const homes = new Set([process.env['JAVA_HOME'] ?? '', ...listInstalled()])
  const program = await findProgram('java')
  if (program !== null) homes.add(dirname(dirname(program)))
  const versions = await Promise.all([...homes].map(async (home) => ({ home, version: await readVersion(home) })))
  const found = versions.filter(({ version }) => version > 0).sort((a, b) => a.version - b.version)
  const fitting = found.find(({ version }) => version >= min && version <= max)
  if (fitting !== undefined) return fitting.home
  const wanted = max < 99 ? `Java ${min} to ${max}` : `Java ${min} or later`
  const others = [...new Set(found.map(({ version }) => version))].join(', ')
  throw new Error(`It needs ${wanted}, and this machine has ${others === '' ? 'none' : others}.`)
}

function listInstalled(): string[] {
  try {
    return readdirSync(INSTALLED).map((name) => join(INSTALLED, name))
  } catch {
    return []
  }
}

/** 0 if there is none. */
async function readVersion(home: string): Promise<number> {
  if (home === '') return 0
  try {
    const { stderr } = await promisify(execFile)(join(home, 'bin', 'java'), ['-version'])
    return Number(/version "(\d+)/.exec(stderr)?.[1] ?? 0)
  } catch {
    return 0
  }
}

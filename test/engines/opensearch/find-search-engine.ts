// Gets a search engine from Maven.

import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { engineUser } from './engine-user.ts'
import { findJava } from './find-java.ts'
import { SEARCH_ENGINES, type SearchEngineName } from './search-engines.ts'

/** Returns its folder. Takes 30 seconds the first time. */
export async function findSearchEngine(name: SearchEngineName, cache: string, signal: AbortSignal): Promise<string> {
  const { program, version, java } = SEARCH_ENGINES[name]
  await findJava(java)
  const folder = join(cache, `${program}-${version}`)
  if (!existsSync(folder)) await unpack({ program, version, folder }, signal)
  await assertReadable(join(folder, 'bin', program))
  return folder
}

interface Unpacking {
  program: string
  version: string
  folder: string
}

async function unpack({ program, version, folder }: Unpacking, signal: AbortSignal): Promise<void> {
  const build = `${folder}-build`
  rmSync(build, { recursive: true, force: true })
  mkdirSync(build, { recursive: true })
  console.log(`${program}: getting version ${version}`)
  const artifact = `org.${program}.distribution.integ-test-zip:${program}:${version}:zip`
  const args = ['dependency:unpack', '-q', '-B', `-Dartifact=${artifact}`, '-DoutputDirectory=.']
  try {
    await promisify(execFile)('mvn', args, { cwd: build, signal, maxBuffer: 1024 ** 2 * 16 })
  } catch (error) {
    throw new Error(`Maven did not get it: ${lastLine(error)}`, { cause: error })
  }
  // Complete or absent: an interrupted download is not taken for the engine.
  renameSync(join(build, `${program}-${version}`), folder)
  rmSync(build, { recursive: true, force: true })
}

async function assertReadable(file: string): Promise<void> {
  try {
    await promisify(execFile)('test', ['-r', file], engineUser())
  } catch (error) {
    throw new Error(`It refuses to run as root, and other users cannot read ${file}.`, { cause: error })
  }
}

function lastLine(error: unknown): string {
  const text = error instanceof Error && 'stdout' in error ? String(error.stdout).trim() : ''
  const problem = text.split('\n').find((line) => line.includes('ERROR'))
  return problem ?? (error instanceof Error ? error.message : String(error))
}

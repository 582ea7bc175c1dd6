// The crawlers that `npm run bench:peers` compares, each as a command that crawls a whole site and exits.

import { spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { launcherPath } from '../test/testing/launcher.ts'
import type { Workspace } from '../test/testing/workspace.ts'
import type { Command } from './harness/measure-command.ts'
import { crawlArguments, NO_ARCHIVE } from './harness/orbweaver.ts'

const folder = fileURLToPath(new URL('./peers', import.meta.url))

/** Orbweaver stores its data on disk; wget2 writes its files to memory if the system has a memory disk. */
export interface Workspaces {
  disk: Workspace
  memory: Workspace
}

export interface Contender {
  name: string
  command(seed: string, workspaces: Workspaces): Omit<Command, 'timeoutMs'>
}

export const ORBWEAVER = 'orbweaver'
export const WGET2 = 'wget2'
export const SPIDER = 'spider-rs'
export const BASIC = 'Crawlee Basic'

/** Returns the crawlers that can run here and prints the others to stderr. `insecure`: wget2 accepts any certificate. */
export function findContenders({ insecure } = { insecure: false }): Contender[] {
  const contenders: Contender[] = []
  if (existsSync(launcherPath)) contenders.push({ name: ORBWEAVER, command: orbweaverWith(NO_ARCHIVE) })
  else console.error('./orbweaver is missing; comparing the other crawlers only.')
  const wget2 = findOnPath('wget2')
  if (wget2 !== null) contenders.push({ name: WGET2, command: (seed, to) => wget2Command(wget2, seed, to, insecure) })
  else console.error('wget2 is not on the PATH; skipping it.')
  contenders.push(
    scriptOf(SPIDER, 'spider.mjs'),
    scriptOf(BASIC, 'basic.mjs'),
    scriptOf('Crawlee Cheerio', 'cheerio.mjs'),
  )
  return contenders
}

export function installPeers(): void {
  if (existsSync(join(folder, 'node_modules', '.package-lock.json'))) return
  console.error('Installing the other crawlers into bench/peers (only once).')
  const { status } = spawnSync('npm', ['install', '--no-audit', '--no-fund'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  if (status !== 0) throw new Error('npm install failed in bench/peers.')
}

/** Orbweaver with these flags. */
export function orbweaverWith(flags: string[]): Contender['command'] {
  return (seed, { disk }) => ({ file: launcherPath, args: crawlArguments([seed], disk, flags) })
}

function scriptOf(name: string, script: string): Contender {
  return { name, command: (seed) => ({ file: process.execPath, args: [join(folder, script), seed], cwd: folder }) }
}

function wget2Command(file: string, seed: string, { memory }: Workspaces, insecure: boolean) {
  const certificate = insecure ? ['--no-check-certificate'] : []
  const flags = [
    ...certificate,
    '--no-config',
    '--no-hsts',
    '--quiet',
    '--recursive',
    '--level=0',
    '--no-parent',
    '--no-robots',
  ]
  return { file, args: [...flags, '--max-threads=4', `--directory-prefix=${memory.folder('mirror')}`, seed] }
}

/** A memory disk, if the system has one. */
export function memoryFolder(): string {
  try {
    accessSync('/dev/shm', constants.W_OK)
    return '/dev/shm'
  } catch {
    return tmpdir()
  }
}

function findOnPath(program: string): string | null {
  for (const directory of (process.env['PATH'] ?? '').split(delimiter)) {
    const file = join(directory, program)
    try {
      accessSync(file, constants.X_OK)
      return file
    } catch {
      // Not in this directory: try the next one.
    }
  }
  return null
}

// Data directories of older versions, or made by hand, may be open to other users of the machine.

import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config/schema.ts'
import { systemClock } from '../lib/clock.ts'
import { type LogFields, openLog } from '../lib/log.ts'
import { restrictFolder } from '../lib/private-files.ts'
import { archiveFolder } from './archive.ts'

/** What a directory may hold that keeps the archive of a database. */
const OWN_FOLDERS = ['archive', 'held']

/** Call it when the store is open, so that the directory is known to be ours. */
export function restrictDataAccess(config: Config): void {
  const archive = archiveFolder(config)
  const folders = [...(isOwnFolder(config) ? [config.data] : []), archive, join(archive, 'locks')]
  // Opened when there is something to say: a command that starts has no time for it.
  const warn = (event: string, logFields: LogFields) => {
    const { logFormat: format, logLevel: level, data: dir } = config
    openLog(process.stderr, systemClock.now, { format, level }).warn(event, { dir, ...logFields })
  }
  try {
    let count = 0
    for (const folder of folders) if (existsSync(folder)) count += restrictFolder(folder)
    if (count > 0) warn('data directory was open to other users', { tightened: count })
  } catch (error) {
    // Some file systems have no modes that could be changed; the store is as usable there as it was.
    warn('data directory is open to other users', { why: error instanceof Error ? error.message : null })
  }
}

/** With Postgres the directory may hold other files, so it is tightened only if it holds nothing but ours. */
function isOwnFolder({ data, store }: Config): boolean {
  if (store === null) return true
  return existsSync(data) && readdirSync(data).every((name) => OWN_FOLDERS.includes(name))
}

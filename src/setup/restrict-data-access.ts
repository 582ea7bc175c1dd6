// Restricts the permissions of a data directory: older versions and manual setups may leave it open to other users.

import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config/schema.ts'
import { systemClock } from '../lib/clock.ts'
import { type LogFields, openLog } from '../lib/log.ts'
import { restrictFolder } from '../lib/private-files.ts'
import { archiveFolder } from './open-archive-writer.ts'

/** Everything that Orbweaver creates in the data directory of a database store. */
const OWN_FOLDERS = ['archive', 'held']

/** Must be called after the store is open, so that the directory is known to belong to Orbweaver. */
export function restrictDataAccess(config: Config): void {
  const archive = archiveFolder(config)
  const folders = [...(isOwnFolder(config) ? [config.data] : []), archive, join(archive, 'locks')]
  // Opens the log only if needed, to keep commands fast.
  const warn = (event: string, logFields: LogFields) => {
    const { logFormat: format, logLevel: level, data: dir } = config
    openLog(process.stderr, systemClock.now, { format, level }).warn(event, { dir, ...logFields })
  }
  try {
    let count = 0
    for (const folder of folders) if (existsSync(folder)) count += restrictFolder(folder)
    if (count > 0) warn('data directory was open to other users', { tightened: count })
  } catch (error) {
    // Some file systems have no modes. The store works there all the same.
    warn('data directory is open to other users', { why: error instanceof Error ? error.message : null })
  }
}

/** Whether the directory contains nothing else. With Postgres it may, and is then not restricted. */
function isOwnFolder({ data, store }: Config): boolean {
  if (store === null) return true
  return existsSync(data) && readdirSync(data).every((name) => OWN_FOLDERS.includes(name))
}

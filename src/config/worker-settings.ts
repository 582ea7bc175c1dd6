import type { SettingName } from './schema.ts'

/** What every process of a fleet is told alike. */
export const FLEET_SETTINGS = [
  ...(['data', 'store', 'threads', 'seenUrls', 'lease', 'grace', 'healthHost'] as const),
  ...(['durability', 'segmentSize', 'segmentAge', 'maxDisk', 'minFreeDisk'] as const),
] satisfies SettingName[]

/** With what is one process's own. */
export const WORKER_SETTINGS = [...FLEET_SETTINGS, 'config', 'healthPort', 'address'] satisfies SettingName[]

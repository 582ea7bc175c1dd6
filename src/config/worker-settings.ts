import type { SettingName } from './schema.ts'

/** What every process of a fleet is told alike. */
export const FLEET_SETTINGS = [
  ...(['data', 'store', 'threads', 'seenUrls', 'lease', 'grace', 'healthHost'] as const),
  ...([
    'durability',
    'segmentSize',
    'segmentAge',
    'maxDisk',
    'minFreeDisk',
    'maxStoreLatency',
    'storeConnections',
  ] as const),
  ...(['logFormat', 'logLevel'] as const),
] satisfies SettingName[]

/** With what is one process's own. */
export const WORKER_SETTINGS = [...FLEET_SETTINGS, 'config', 'healthPort', 'address'] satisfies SettingName[]

/** Of a process that answers requests. */
export const API_SETTINGS = [
  ...(['host', 'port', 'publicUrl', 'requireToken', 'apiRate', 'allow', 'allowPrivate'] as const),
] satisfies SettingName[]

/** Of a process that fills the search index, or asks it. */
export const INDEX_SETTINGS = ['maxIndexLag', 'indexEntities', 'synonyms'] as const satisfies SettingName[]

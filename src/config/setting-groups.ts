import type { SettingName } from './schema.ts'

/** How a process that crawls uses its disk, its memory and its store. */
const RESOURCE_SETTINGS = [
  ...(['maxDisk', 'minFreeDisk', 'memory', 'maxStoreLatency', 'storeConnections'] as const),
] as const satisfies SettingName[]

/** With how much it does at a time. */
export const CRAWL_PROCESS_SETTINGS = [
  ...RESOURCE_SETTINGS,
  'threads',
  'workerRate',
  'seenUrls',
  'lease',
  'stallTime',
] as const satisfies SettingName[]

/** How it keeps pages. */
export const ARCHIVE_SETTINGS = ['durability', 'segmentSize', 'segmentAge'] as const satisfies SettingName[]

/** What every process of a fleet is told alike. */
export const FLEET_SETTINGS = [
  ...(['data', 'store', 'threads', 'workerRate', 'seenUrls', 'lease', 'stallTime', 'grace'] as const),
  ...(['healthHost', 'healthSecret'] as const),
  ...ARCHIVE_SETTINGS,
  ...RESOURCE_SETTINGS,
  ...(['logFormat', 'logLevel'] as const),
] satisfies SettingName[]

/** With what is one process's own. */
export const WORKER_SETTINGS = [...FLEET_SETTINGS, 'config', 'healthPort', 'address'] satisfies SettingName[]

/** Of a process that answers requests. */
export const API_SETTINGS = [
  ...(['host', 'port', 'publicUrl', 'requireToken', 'apiRate', 'tokenSockets', 'allow', 'allowPrivate'] as const),
  ...(['tokenMinDelay', 'tokenMaxConcurrency', 'tokenMaxPerHost', 'tokenMaxBody'] as const),
] satisfies SettingName[]

/** Of a process that fills the search index, or asks it. */
export const INDEX_SETTINGS = ['maxIndexLag', 'indexEntities', 'synonyms'] as const satisfies SettingName[]

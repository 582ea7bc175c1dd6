// Groups of settings that commands have in common.

import type { SettingName } from './schema.ts'

/** Settings that say where the crawls are: in a store, or on a running server. */
export const STORE_OR_SERVER = ['data', 'store', 'server', 'token', 'config'] as const satisfies SettingName[]

/** Disk, memory and store of a process that crawls. */
const RESOURCE_SETTINGS = [
  'maxDisk',
  'minFreeDisk',
  'memory',
  'maxStoreLatency',
  'storeConnections',
] as const satisfies SettingName[]

const THREAD_SETTINGS = [
  'threads',
  'workerRate',
  'seenUrls',
  'lease',
  'pollMin',
  'pollMax',
  'stallTime',
  'browser',
] as const satisfies SettingName[]

export const CRAWL_PROCESS_SETTINGS = [
  ...RESOURCE_SETTINGS,
  ...THREAD_SETTINGS,
  'policies',
] as const satisfies SettingName[]

/** Settings of a command that requests one URL. */
export const REQUEST_SETTINGS = [
  'userAgent',
  'header',
  'timeout',
  'allowPrivate',
  'allow',
  'insecure',
  'proxy',
  'auth',
] as const satisfies SettingName[]

export const ARCHIVE_SETTINGS = [
  'durability',
  'archiveCodec',
  'segmentSize',
  'segmentAge',
  'archiveStore',
  'archiveCache',
  'maxUploadBacklog',
  'uploadBeforeCommit',
] as const satisfies SettingName[]

/** Passed on to every process of a fleet. */
export const FLEET_SETTINGS = [
  'data',
  'store',
  ...THREAD_SETTINGS,
  'grace',
  'healthHost',
  'healthSecret',
  ...ARCHIVE_SETTINGS,
  ...RESOURCE_SETTINGS,
  'logFormat',
  'logLevel',
] satisfies SettingName[]

export const WORKER_SETTINGS = [
  ...FLEET_SETTINGS,
  'config',
  'policies',
  'healthPort',
  'address',
] satisfies SettingName[]

export const API_SETTINGS = [
  'host',
  'port',
  'publicUrl',
  'requireToken',
  'apiRate',
  'publicSearch',
  'publicSearchRate',
  'searchTitle',
  'searchColor',
  'tokenSockets',
  'allow',
  'allowPrivate',
  'tokenMinDelay',
  'tokenMaxConcurrency',
  'tokenMaxPerHost',
  'tokenMaxBody',
  'mcpMaxPages',
] satisfies SettingName[]

/** Settings of a process that builds or queries the search index. */
export const INDEX_SETTINGS = ['search', 'maxIndexLag', 'indexEntities', 'synonyms'] as const satisfies SettingName[]

// Every setting of the program, written once. The key gives its other names: maxPages is --max-pages on the command
// line, ORBWEAVER_MAX_PAGES in the environment and max_pages in a file. A switch that is on by default is turned off
// with --no-name. docs/reference/configuration.md and --help are generated from here.

import { CRAWL_SCHEMA } from './crawl-schema.ts'
import { COMMAND_SETTINGS } from './process/commands.ts'
import { CRAWLING_SETTINGS } from './process/crawling.ts'
import { INPUT_SETTINGS } from './process/inputs.ts'
import { SEARCH_INDEX_SETTINGS } from './process/search-index.ts'
import { SERVER_SETTINGS } from './process/server.ts'
import { WORKER_PROCESS_SETTINGS } from './process/worker.ts'
import type { SettingKind } from './setting-kinds.ts'

export const SCHEMA = {
  ...INPUT_SETTINGS,
  ...CRAWL_SCHEMA,
  ...CRAWLING_SETTINGS,
  ...SERVER_SETTINGS,
  ...WORKER_PROCESS_SETTINGS,
  ...SEARCH_INDEX_SETTINGS,
  ...COMMAND_SETTINGS,
}

export type SettingName = keyof typeof SCHEMA

export type SettingValue<S> = S extends { kind: SettingKind<infer T>; default: infer D }
  ? D extends null
    ? T | null
    : T
  : never

export type Config = { readonly [K in SettingName]: SettingValue<(typeof SCHEMA)[K]> }

export const SETTING_NAMES = Object.keys(SCHEMA) as SettingName[]

function kebab(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

export function flagOf(name: SettingName): string {
  const isOnByDefault = SCHEMA[name].kind.isSwitch === true && SCHEMA[name].default === true
  return isOnByDefault ? `no-${kebab(name)}` : kebab(name)
}

export const ENV_PREFIX = 'ORBWEAVER_'

export function envOf(name: SettingName): string {
  return ENV_PREFIX + fileKeyOf(name).toUpperCase()
}

export function fileKeyOf(name: SettingName): string {
  return kebab(name).replaceAll('-', '_')
}

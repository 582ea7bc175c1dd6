// Reads and parses the files of deploy/.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { envOf, SETTING_NAMES } from '../../../src/config/schema.ts'
import { renderTemplates } from './helm/render-templates.ts'

export const ROOT_FOLDER = join(import.meta.dirname, '../../..')
export const DEPLOY_FOLDER = join(ROOT_FOLDER, 'deploy')
const CHART = 'helm/orbweaver'

/** Variables that the program reads; it exits on any other name that begins with ORBWEAVER_. */
export const ENV_NAMES = new Set(SETTING_NAMES.map(envOf))

export function readText(path: string): string {
  return readFileSync(join(DEPLOY_FOLDER, path), 'utf8')
}

export function readYaml(path: string): unknown {
  return parse(readText(path), { merge: true })
}

/** The value at a path such as `a.b.0.c`, or undefined. */
export function valueAt(data: unknown, path: string): unknown {
  let value = data
  for (const step of path.split('.')) {
    if (typeof value !== 'object' || value === null) return undefined
    value = (value as Record<string, unknown>)[step]
  }
  return value
}

export function listAt(data: unknown, path: string): unknown[] {
  const value = valueAt(data, path)
  if (!Array.isArray(value)) throw new Error(`${path} is not a list`)
  return value
}

export function mapAt(data: unknown, path: string): Record<string, unknown> {
  const value = valueAt(data, path)
  if (!isMap(value)) throw new Error(`${path} is not a map`)
  return value
}

/** Resources that already exist in the cluster, by kind and name. */
export type ExistingResources = Record<string, object>

/**
 * The manifests of the chart as `helm template` would render them, with these values over the defaults. Keys are kind
 * and component, such as Service/api, or the kind alone for resources of the whole release.
 */
export function renderChart(
  overlay: object = {},
  release = 'demo',
  existingResources: ExistingResources = {},
): Map<string, unknown> {
  const folder = join(DEPLOY_FOLDER, CHART, 'templates')
  const files = new Map(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]))
  const data = {
    Values: merge(readYaml(`${CHART}/values.yaml`), overlay),
    Chart: { AppVersion: valueAt(readYaml(`${CHART}/Chart.yaml`), 'appVersion') },
    Release: { Name: release, Namespace: 'default', Service: 'Helm' },
  }
  const rendered = renderTemplates(files, data, (kind, name) => existingResources[`${kind}/${name}`] ?? {})
  const manifests = new Map<string, unknown>()
  for (const [name, text] of rendered) {
    const manifest: unknown = name.endsWith('.yaml') ? parse(text) : null
    if (manifest === null) continue
    const component = mapAt(manifest, 'metadata.labels')['app.kubernetes.io/component']
    const key = [valueAt(manifest, 'kind'), component].filter((part) => part !== undefined).join('/')
    if (manifests.has(key)) throw new Error(`${key} is defined twice`)
    manifests.set(key, manifest)
  }
  return manifests
}

/** Merges maps; replaces everything else. */
function merge(base: unknown, over: unknown): unknown {
  if (!isMap(base) || !isMap(over)) return over
  const merged: Record<string, unknown> = { ...base }
  for (const [key, value] of Object.entries(over)) merged[key] = key in base ? merge(base[key], value) : value
  return merged
}

function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

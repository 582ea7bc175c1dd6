// Crawls fixtures through /crawl-runs of a server: the server at CRAWLER_API, or a new one. A server on another
// machine, or in a container, reaches the fixtures at E2E_FIXTURE_HOST.

import { makeTestDatabase } from '../../../src/store/testing/test-database.ts'
import type { CleanupContext } from '../../testing/program.ts'
import { startServer } from '../../testing/start-server.ts'
import { waitUntil } from '../../testing/wait-until.ts'
import { type JsonObject, requestJson } from './json-api.ts'

/** Null if the crawler runs on this machine. */
export const fixtureHost = process.env['E2E_FIXTURE_HOST'] ?? null
/** The address on which fixtures listen. */
export const fixtureAddress = fixtureHost === null ? '127.0.0.1' : '0.0.0.0'

const givenServer = process.env['CRAWLER_API']
const MAX_RUN_MS = 540_000
const FAST_SETTINGS = {
  ORBWEAVER_ALLOW_PRIVATE: 'true',
  ORBWEAVER_TRAPS: 'false',
  FETCH_CONCURRENCY_PER_HOST: '8',
  FETCH_MIN_GAP_PER_HOST_MS: '0',
  FETCH_HOST_COOLDOWN_BASE_MS: '0',
  RETRY_BASE_DELAY_MS: '1',
}

export interface RunUrl {
  normalized_url: string
  status: string
  http_status: number | null
  depth: number
  discovered_from_url_id: number | null
}

export interface FixtureRun {
  run: JsonObject
  urls: RunUrl[]
}

/** Tested servers: a new server on either store, or the given one. */
export const testedServers = givenServer === undefined ? ['SQLite', 'Postgres'] : [givenServer]

/** Returns a function that crawls from a seed to the end. */
export async function openRuns(
  t: CleanupContext,
  testedServer = testedServers[0],
): Promise<(seedUrl: string) => Promise<FixtureRun>> {
  const server = givenServer ?? (await startOwnServer(t, testedServer === 'Postgres'))
  const read = async (path: string) => (await requestJson(server, 'GET', path)).body
  return async (seedUrl) => {
    const { status, body } = await requestJson(server, 'POST', '/crawl-runs', { seedUrl })
    if (status !== 201) throw new Error(`The run was not created: ${JSON.stringify(body)}`)
    let run = body
    const isOver = async () => {
      run = await read(`/crawl-runs/${body['id']}`)
      return run['status'] !== 'RUNNING'
    }
    await waitUntil(isOver, {
      pollMs: 100,
      timeoutMs: MAX_RUN_MS,
      timeoutMessage: () => `The run did not finish: ${JSON.stringify(run)}`,
    })
    const { urls } = (await read(`/crawl-runs/${body['id']}/export`)) as { urls: RunUrl[] }
    return { run, urls }
  }
}

async function startOwnServer(t: CleanupContext, onPostgres: boolean): Promise<string> {
  if (!onPostgres) return (await startServer(t, { env: FAST_SETTINGS })).address
  const database = await makeTestDatabase()
  t.after(() => database.drop())
  return (await startServer(t, { env: FAST_SETTINGS, flags: ['--store', database.url] })).address
}

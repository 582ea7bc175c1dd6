// The service "api" as compose.yaml and Prometheus expect it, with real processes on a real Postgres.

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, it } from 'node:test'
import { openApiService, readServiceAddresses } from './testing/api-service.ts'
import { listAt, readYaml } from './testing/deploy-files.ts'

/** Runs its Docker health check on another port. */
async function healthCode(api: string): Promise<number> {
  const [kind, node, ...words] = listAt(readYaml('compose.yaml'), 'services.api.healthcheck.test').map(String)
  assert.deepEqual([kind, node], ['CMD', '/usr/local/bin/node'])
  const here = words.map((word) => word.replace(':8080/', `:${new URL(api).port}/`))
  assert.notDeepEqual(here, words)
  return (await once(spawn(process.execPath, here), 'exit'))[0] as number
}

describe('the service "api"', () => {
  it('exits with a clear message while there is no token, and starts once there is one', async (t) => {
    const apiService = await openApiService(t)
    // The same flags as in the image. They are rejected before the port is opened.
    const refused = await apiService.start(['--host', '0.0.0.0']).ended
    assert.notEqual(refused.code, 0)
    assert.match(refused.stderr, /create a token first: \.\/orbweaver token create <name> admin/)
    const created = await apiService.cli(['token', 'create', 'admin', 'admin', '--json'])
    const { token } = JSON.parse(created.stdout) as { token: string }
    const program = apiService.start(['--require-token', '--health-secret', 's3cret'])
    const { api, health } = await readServiceAddresses(program)
    assert.equal(await healthCode(api), 0)
    assert.equal((await fetch(`${api}/readyz`)).status, 200)
    assert.equal((await fetch(`${api}/api/v1/crawls`)).status, 401)
    const headers = { authorization: `Bearer ${token}` }
    assert.equal((await fetch(`${api}/api/v1/crawls`, { headers })).status, 200)
    assert.equal((await fetch(`${api}/metrics`)).status, 401)
    assert.equal((await fetch(`${health}/metrics`)).status, 401)
    const shared = { authorization: 'Bearer s3cret' }
    const figures = await (await fetch(`${health}/metrics`, { headers: shared })).text()
    assert.match(figures, /^orbweaver_api_requests_total\{route="GET \/api\/v1\/crawls",status="2xx"\} 1$/m)
    for (const name of ['api_ready 1', 'index_lag_seconds 0', 'live_sockets 0', 'due_hosts 0']) {
      assert.match(figures, new RegExp(`^orbweaver_${name}$`, 'm'))
    }
    const names = [...figures.matchAll(/^# TYPE (\w+) /gm)].map(([, name]) => name)
    assert.equal(new Set(names).size, names.length, 'a metric is exposed twice')
    program.child.kill('SIGTERM')
    assert.equal((await program.ended).code, 0)
    assert.equal(await healthCode(api), 1)
  })

  it('is not ready while Postgres is down, but still alive', async (t) => {
    const apiService = await openApiService(t)
    await apiService.cli(['token', 'create', 'admin', 'admin'])
    const { api, health } = await readServiceAddresses(apiService.start(['--require-token']))
    apiService.proxy.refuse()
    const figures = await (await fetch(`${health}/metrics`)).text()
    assert.match(figures, /^orbweaver_api_ready 0$/m)
    assert.equal((await fetch(`${api}/readyz`)).status, 503)
    assert.equal(await healthCode(api), 0)
    apiService.proxy.restore()
  })
})

// Checks that the parts of compose.yaml fit each other, the program and the files beside it.

import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { loadCommands } from '../../src/cli/commands.ts'
import { loadConfig } from '../../src/config/load-config.ts'
import { envOf, flagOf, SCHEMA } from '../../src/config/schema.ts'
import { DEPLOY_FOLDER, ENV_NAMES, listAt, mapAt, readText, readYaml, valueAt } from './testing/deploy-files.ts'

const commands = await loadCommands()

const compose = readYaml('compose.yaml')
const services = mapAt(compose, 'services')
const worker = services['worker']
const api = services['api']

function listOr(data: unknown, path: string): unknown[] {
  return valueAt(data, path) === undefined ? [] : listAt(data, path)
}

describe('compose.yaml', () => {
  it('has the expected services, and only commands and settings that exist', () => {
    assert.deepEqual(Object.keys(services).sort(), ['api', 'cli', 'grafana', 'postgres', 'prometheus', 'worker'])
  })

  it('mounts existing files and declared volumes', () => {
    const volumes = mapAt(compose, 'volumes')
    for (const service of Object.values(services)) {
      for (const mount of listOr(service, 'volumes')) {
        const [source = ''] = String(mount).split(':')
        if (source.startsWith('.')) assert.ok(existsSync(join(DEPLOY_FOLDER, source)), source)
        else assert.ok(Object.hasOwn(volumes, source), source)
      }
    }
    const { context, dockerfile } = mapAt(worker, 'build')
    assert.ok(existsSync(join(DEPLOY_FOLDER, String(context), String(dockerfile))))
  })

  it('pins images to a version', () => {
    for (const [name, service] of Object.entries(services)) {
      if (valueAt(service, 'build') === undefined) assert.match(String(valueAt(service, 'image')), /:v?\d[\w.]*$/, name)
    }
    assert.ok(Number(/:(\d+)/.exec(String(valueAt(services, 'postgres.image')))?.[1]) >= 15)
  })

  it('contains no passwords: each comes from a required variable', () => {
    const secrets = Object.values(services)
      .flatMap((service) => Object.entries(valueAt(service, 'environment') ?? {}))
      .filter(([name]) => /PASSWORD/.test(name))
    assert.equal(secrets.length, 5)
    for (const [name, value] of secrets) assert.match(String(value), /^\$\{[A-Z_]+_PASSWORD:\?[A-Z].+\}$/, name)
  })

  it('gives all processes and Prometheus the same secret for the health ports', () => {
    const requiredSecret = /^\$\{HEALTH_SECRET:\?[A-Z].+\}$/
    for (const service of [worker, api, services['cli']]) {
      assert.match(String(valueAt(service, `environment.${envOf('healthSecret')}`)), requiredSecret)
    }
    assert.deepEqual(valueAt(compose, 'secrets'), { health_secret: { environment: 'HEALTH_SECRET' } })
    assert.deepEqual(valueAt(services, 'prometheus.secrets'), ['health_secret'])
    for (const job of listAt(readYaml('prometheus/prometheus.yaml'), 'scrape_configs')) {
      assert.equal(valueAt(job, 'authorization.credentials_file'), '/run/secrets/health_secret')
    }
  })

  it('publishes ports on this machine only', () => {
    for (const service of Object.values(services)) {
      for (const port of listOr(service, 'ports')) assert.match(String(port), /^127\.0\.0\.1:/)
    }
  })

  it('every service that another depends on exists', () => {
    for (const service of Object.values(services)) {
      const needed = valueAt(service, 'depends_on') ?? []
      for (const name of Array.isArray(needed) ? needed : Object.keys(needed)) {
        assert.ok(Object.hasOwn(services, name), name)
      }
    }
    assert.ok(valueAt(services, 'postgres.healthcheck.test'))
  })
})

describe('a worker in compose.yaml', () => {
  it('can be scaled: it has no published port and no fixed name', () => {
    for (const key of ['ports', 'container_name', 'hostname']) assert.equal(valueAt(worker, key), undefined)
    assert.deepEqual(valueAt(worker, 'expose'), [String(SCHEMA.healthPort.default)])
  })

  it('has only valid settings', () => {
    const names = Object.keys(mapAt(worker, 'environment'))
    for (const name of names) assert.ok(ENV_NAMES.has(name) || name === 'PGPASSWORD', name)
  })

  it('runs an existing command with flags that it accepts', () => {
    for (const service of [worker, api, services['cli']]) {
      assert.equal(valueAt(service, 'entrypoint'), undefined)
      const [command = '', ...args] = listAt(service, 'command').map(String)
      const known = commands[command]?.settings.map((name) => `--${flagOf(name)}`)
      assert.ok(known !== undefined, command)
      for (const arg of args.filter((each) => each.startsWith('--'))) assert.ok(known.includes(arg), arg)
    }
  })

  it('stores pages where single commands find them', () => {
    assert.deepEqual(valueAt(worker, 'volumes'), valueAt(services, 'cli.volumes'))
  })

  it('writes only to its volume and /tmp, and cannot gain privileges', () => {
    assert.equal(valueAt(worker, 'read_only'), true)
    assert.deepEqual(valueAt(worker, 'cap_drop'), ['ALL'])
    assert.deepEqual(valueAt(worker, 'security_opt'), ['no-new-privileges:true'])
  })

  it('has a stop grace period longer than its shutdown', () => {
    const seconds = Number(/^(\d+)s$/.exec(String(valueAt(worker, 'stop_grace_period')))?.[1])
    assert.ok(seconds * 1000 >= SCHEMA.grace.default + 10_000)
  })

  it('reaches the database, which allows enough connections', () => {
    const store = new URL(String(valueAt(worker, 'environment.ORBWEAVER_STORE')))
    assert.equal(SCHEMA.store.kind.parse(store.href), store.href)
    const { POSTGRES_USER, POSTGRES_DB } = mapAt(services, `${store.hostname}.environment`)
    assert.deepEqual([store.username, store.pathname, store.port], [POSTGRES_USER, `/${POSTGRES_DB}`, '5432'])
    assert.equal(store.password, '')
    assert.ok(listAt(services, 'postgres.command').some((word) => /^max_connections=\d{3}$/.test(String(word))))
  })
})

describe('the API in compose.yaml', () => {
  it('serves the API, maintains the fleet and indexes, while workers only crawl', () => {
    const [command = '', ...flags] = listAt(api, 'command').map(String)
    const { roles } = loadConfig(flags, {}, commands[command]?.settings ?? []).config
    assert.deepEqual(roles, ['api', 'maintenance', 'indexer'])
  })

  it('publishes its own port, but not its metrics', () => {
    const port = SCHEMA.port.default
    assert.deepEqual(valueAt(api, 'ports'), [`127.0.0.1:${port}:${port}`])
    assert.deepEqual(valueAt(api, 'expose'), [String(SCHEMA.healthPort.default)])
  })

  it('reads pages where workers store them, with the same hardening', () => {
    for (const key of ['volumes', 'read_only', 'cap_drop', 'security_opt', 'tmpfs', 'environment', 'depends_on']) {
      assert.deepEqual(valueAt(api, key), valueAt(worker, key), key)
    }
  })

  it('has a stop grace period longer than its shutdown', () => {
    const seconds = Number(/^(\d+)s$/.exec(String(valueAt(api, 'stop_grace_period')))?.[1])
    assert.ok(seconds * 1000 >= SCHEMA.grace.default + 10_000)
  })
})

it('the commands that compose.yaml mentions exist', () => {
  const named = [...readText('compose.yaml').matchAll(/run --rm cli (\w+)/g)].map(([, command = '']) => command)
  assert.ok(named.length > 0)
  for (const command of named) assert.ok(Object.hasOwn(commands, command), command)
})

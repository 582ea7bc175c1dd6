// Whether the parts of compose.yaml fit each other, the program, and the files beside it.

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
  it('has what was asked for, and nothing of the program that does not exist', () => {
    assert.deepEqual(Object.keys(services).sort(), ['api', 'cli', 'grafana', 'postgres', 'prometheus', 'worker'])
  })

  it('mounts files that exist and volumes that are declared', () => {
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

  it('runs images by their version', () => {
    for (const [name, service] of Object.entries(services)) {
      if (valueAt(service, 'build') === undefined) assert.match(String(valueAt(service, 'image')), /:v?\d[\w.]*$/, name)
    }
    assert.ok(Number(/:(\d+)/.exec(String(valueAt(services, 'postgres.image')))?.[1]) >= 15)
  })

  it('keeps passwords out: each is asked for by name', () => {
    const secrets = Object.values(services)
      .flatMap((service) => Object.entries(valueAt(service, 'environment') ?? {}))
      .filter(([name]) => /PASSWORD/.test(name))
    assert.equal(secrets.length, 5)
    for (const [name, value] of secrets) assert.match(String(value), /^\$\{[A-Z_]+_PASSWORD:\?[A-Z].+\}$/, name)
  })

  it('gives all processes and Prometheus one secret for the health ports', () => {
    const asked = /^\$\{HEALTH_SECRET:\?[A-Z].+\}$/
    for (const service of [worker, api, services['cli']]) {
      assert.match(String(valueAt(service, `environment.${envOf('healthSecret')}`)), asked)
    }
    assert.deepEqual(valueAt(compose, 'secrets'), { health_secret: { environment: 'HEALTH_SECRET' } })
    assert.deepEqual(valueAt(services, 'prometheus.secrets'), ['health_secret'])
    for (const job of listAt(readYaml('prometheus/prometheus.yaml'), 'scrape_configs')) {
      assert.equal(valueAt(job, 'authorization.credentials_file'), '/run/secrets/health_secret')
    }
  })

  it('is open to this machine only', () => {
    for (const service of Object.values(services)) {
      for (const port of listOr(service, 'ports')) assert.match(String(port), /^127\.0\.0\.1:/)
    }
  })

  it('every service that another waits for is there', () => {
    for (const service of Object.values(services)) {
      const needed = valueAt(service, 'depends_on') ?? []
      for (const name of Array.isArray(needed) ? needed : Object.keys(needed)) {
        assert.ok(Object.hasOwn(services, name), name)
      }
    }
    assert.ok(valueAt(services, 'postgres.healthcheck.test'))
  })
})

describe('a worker of compose.yaml', () => {
  it('can be scaled: no port of the machine and no name is its own', () => {
    for (const key of ['ports', 'container_name', 'hostname']) assert.equal(valueAt(worker, key), undefined)
    assert.deepEqual(valueAt(worker, 'expose'), [String(SCHEMA.healthPort.default)])
  })

  it('has settings that exist', () => {
    const names = Object.keys(mapAt(worker, 'environment'))
    for (const name of names) assert.ok(ENV_NAMES.has(name) || name === 'PGPASSWORD', name)
  })

  it('is a command that exists, with the flags that it takes', () => {
    for (const service of [worker, api, services['cli']]) {
      assert.equal(valueAt(service, 'entrypoint'), undefined)
      const [command = '', ...args] = listAt(service, 'command').map(String)
      const known = commands[command]?.settings.map((name) => `--${flagOf(name)}`)
      assert.ok(known !== undefined, command)
      for (const arg of args.filter((each) => each.startsWith('--'))) assert.ok(known.includes(arg), arg)
    }
  })

  it('keeps pages where single commands find them', () => {
    assert.deepEqual(valueAt(worker, 'volumes'), valueAt(services, 'cli.volumes'))
  })

  it('writes nothing but its volume and /tmp, and can become nobody else', () => {
    assert.equal(valueAt(worker, 'read_only'), true)
    assert.deepEqual(valueAt(worker, 'cap_drop'), ['ALL'])
    assert.deepEqual(valueAt(worker, 'security_opt'), ['no-new-privileges:true'])
  })

  it('is given longer to end than it takes', () => {
    const seconds = Number(/^(\d+)s$/.exec(String(valueAt(worker, 'stop_grace_period')))?.[1])
    assert.ok(seconds * 1000 >= SCHEMA.grace.default + 10_000)
  })

  it('finds the database, which has room for its connections', () => {
    const store = new URL(String(valueAt(worker, 'environment.ORBWEAVER_STORE')))
    assert.equal(SCHEMA.store.kind.parse(store.href), store.href)
    const { POSTGRES_USER, POSTGRES_DB } = mapAt(services, `${store.hostname}.environment`)
    assert.deepEqual([store.username, store.pathname, store.port], [POSTGRES_USER, `/${POSTGRES_DB}`, '5432'])
    assert.equal(store.password, '')
    assert.ok(listAt(services, 'postgres.command').some((word) => /^max_connections=\d{3}$/.test(String(word))))
  })
})

describe('the API of compose.yaml', () => {
  it('answers, looks after the fleet and indexes, where workers only work', () => {
    const [command = '', ...flags] = listAt(api, 'command').map(String)
    const { roles } = loadConfig(flags, {}, commands[command]?.settings ?? []).config
    assert.deepEqual(roles, ['api', 'maintenance', 'indexer'])
  })

  it('is published on its own port, and its figures are not', () => {
    const port = SCHEMA.port.default
    assert.deepEqual(valueAt(api, 'ports'), [`127.0.0.1:${port}:${port}`])
    assert.deepEqual(valueAt(api, 'expose'), [String(SCHEMA.healthPort.default)])
  })

  it('reads pages where workers keep them, and has their shell around it', () => {
    for (const key of ['volumes', 'read_only', 'cap_drop', 'security_opt', 'tmpfs', 'environment', 'depends_on']) {
      assert.deepEqual(valueAt(api, key), valueAt(worker, key), key)
    }
  })

  it('is given longer to end than it takes', () => {
    const seconds = Number(/^(\d+)s$/.exec(String(valueAt(api, 'stop_grace_period')))?.[1])
    assert.ok(seconds * 1000 >= SCHEMA.grace.default + 10_000)
  })
})

it('the commands that compose.yaml tells of exist', () => {
  const named = [...readText('compose.yaml').matchAll(/run --rm cli (\w+)/g)].map(([, command = '']) => command)
  assert.ok(named.length > 0)
  for (const command of named) assert.ok(Object.hasOwn(commands, command), command)
})

// The API in the chart: its pods, service, ingress and the optional indexer pods.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { loadCommands } from '../../src/cli/commands.ts'
import { loadConfig } from '../../src/config/load-config.ts'
import { SCHEMA } from '../../src/config/schema.ts'
import { ENV_NAMES, listAt, mapAt, readYaml, renderChart, valueAt } from './testing/deploy-files.ts'

const commands = await loadCommands()

const INGRESS = { enabled: true, host: 'crawl.example.com' }

interface Part {
  manifest: unknown
  pod: unknown
  container: unknown
  env: Map<string, unknown>
}

function partOf(key: string, overlay: object = {}): Part {
  const manifest = renderChart(overlay).get(key)
  const container = valueAt(manifest, 'spec.template.spec.containers.0')
  const env = new Map(
    listAt(container, 'env').map((entry) => [String(valueAt(entry, 'name')), valueAt(entry, 'value')]),
  )
  return { manifest, pod: valueAt(manifest, 'spec.template.spec'), container, env }
}

/** Parsed as the program parses its command line. */
function rolesOf({ container }: Part): readonly string[] {
  const [command = '', ...flags] = listAt(container, 'args').map(String)
  return loadConfig(flags, {}, commands[command]?.settings ?? []).config.roles
}

describe('the API in the chart', () => {
  it('serves the API, maintains the fleet and indexes', () => {
    assert.deepEqual(rolesOf(partOf('Deployment/api')), ['api', 'maintenance', 'indexer'])
  })

  it('leaves indexing to separate indexer pods if there are any', () => {
    const overlay = { indexer: { isSeparate: true, replicaCount: 3 } }
    const indexer = partOf('Deployment/indexer', overlay)
    assert.deepEqual(rolesOf(partOf('Deployment/api', overlay)), ['api', 'maintenance'])
    assert.deepEqual(rolesOf(indexer), ['indexer'])
    assert.equal(valueAt(indexer.manifest, 'spec.replicas'), 3)
    assert.equal(valueAt(indexer.container, 'readinessProbe.httpGet.port'), 'health')
  })

  it('is on port 80 of its service, and on its own port in the pod', () => {
    const { container } = partOf('Deployment/api')
    const ports = listAt(container, 'ports')
    const { port, healthPort } = SCHEMA
    assert.deepEqual(ports, [
      { name: 'http', containerPort: port.default },
      { name: 'health', containerPort: healthPort.default },
    ])
    const [service] = listAt(renderChart().get('Service/api'), 'spec.ports')
    assert.deepEqual(service, { name: 'http', port: 80, targetPort: 'http' })
  })

  it('listens where its probes and its service expect it, also on another port', () => {
    const { container, env } = partOf('Deployment/api', { api: { port: 9000 } })
    assert.equal(env.get('ORBWEAVER_PORT'), '9000')
    assert.equal(valueAt(container, 'ports.0.containerPort'), 9000)
    const probes = ['startupProbe', 'livenessProbe', 'readinessProbe'].map((name) =>
      valueAt(container, `${name}.httpGet`),
    )
    assert.deepEqual(probes, [
      { path: '/healthz', port: 'http' },
      { path: '/healthz', port: 'http' },
      { path: '/readyz', port: 'http' },
    ])
  })

  it('has only valid settings, and is isolated from the cluster', () => {
    for (const key of ['Deployment/api', 'Deployment/indexer']) {
      const overlay = { ingress: INGRESS, indexer: { isSeparate: true }, store: { password: 'x' } }
      const { container, pod, env } = partOf(key, overlay)
      for (const name of env.keys()) assert.ok(ENV_NAMES.has(name) || name === 'PGPASSWORD', name)
      assert.equal(valueAt(pod, 'enableServiceLinks'), false)
      assert.equal(valueAt(pod, 'automountServiceAccountToken'), false)
      assert.equal(valueAt(pod, 'securityContext.runAsNonRoot'), true)
      assert.equal(valueAt(container, 'securityContext.readOnlyRootFilesystem'), true)
      const mounted = listAt(container, 'volumeMounts').map((mount) => valueAt(mount, 'name'))
      assert.deepEqual(
        mounted.sort(),
        listAt(pod, 'volumes')
          .map((volume) => valueAt(volume, 'name'))
          .sort(),
      )
    }
  })

  it('has a termination grace period longer than its shutdown', () => {
    const { pod, env } = partOf('Deployment/api')
    assert.ok(
      Number(valueAt(pod, 'terminationGracePeriodSeconds')) * 1000 >= Number(env.get('ORBWEAVER_GRACE')) + 10_000,
    )
  })

  it('optionally stores submitted documents on a volume that one pod at a time uses', () => {
    const manifests = renderChart({ api: { storage: { size: '5Gi', className: 'fast' } } })
    const claim = manifests.get('PersistentVolumeClaim/api')
    assert.equal(valueAt(claim, 'spec.storageClassName'), 'fast')
    const deployment = manifests.get('Deployment/api')
    assert.equal(valueAt(deployment, 'spec.strategy.type'), 'Recreate')
    const volume = listAt(deployment, 'spec.template.spec.volumes').find((one) => valueAt(one, 'name') === 'data')
    assert.equal(valueAt(volume, 'persistentVolumeClaim.claimName'), valueAt(claim, 'metadata.name'))
    assert.throws(() => renderChart({ api: { replicaCount: 2, storage: { size: '5Gi' } } }), /is for one API/)
    assert.equal(valueAt(renderChart({ api: { replicaCount: 2 } }).get('Deployment/api'), 'spec.replicas'), 2)
  })
})

describe('the ingress', () => {
  it('routes every path to the API service', () => {
    const manifests = renderChart({ ingress: { ...INGRESS, className: 'nginx' } })
    const ingress = manifests.get('Ingress/api')
    assert.equal(valueAt(ingress, 'spec.ingressClassName'), 'nginx')
    assert.equal(valueAt(ingress, 'spec.rules.0.host'), INGRESS.host)
    const { path, backend } = mapAt(ingress, 'spec.rules.0.http.paths.0')
    assert.equal(path, '/')
    assert.equal(valueAt(backend, 'service.name'), valueAt(manifests.get('Service/api'), 'metadata.name'))
    assert.equal(valueAt(backend, 'service.port.name'), valueAt(manifests.get('Service/api'), 'spec.ports.0.name'))
  })

  it('keeps live updates open for a day', () => {
    const annotations = mapAt(renderChart({ ingress: INGRESS }).get('Ingress/api'), 'metadata.annotations')
    assert.equal(annotations['nginx.ingress.kubernetes.io/proxy-read-timeout'], '86400')
    assert.equal(annotations['nginx.ingress.kubernetes.io/proxy-buffering'], 'off')
  })

  it('sets the public URL of the API, unless the values set one', () => {
    const urlOf = (overlay: object) => partOf('Deployment/api', overlay).env.get('ORBWEAVER_PUBLIC_URL')
    assert.equal(urlOf({}), undefined)
    assert.equal(urlOf({ ingress: INGRESS }), 'http://crawl.example.com')
    assert.equal(urlOf({ ingress: { ...INGRESS, tlsSecret: 'certificate' } }), 'https://crawl.example.com')
    assert.equal(urlOf({ ingress: INGRESS, api: { publicUrl: 'https://other.example' } }), 'https://other.example')
  })

  it('has the certificate of its host, and requires a host', () => {
    const ingress = renderChart({ ingress: { ...INGRESS, tlsSecret: 'certificate' } }).get('Ingress/api')
    assert.deepEqual(valueAt(ingress, 'spec.tls'), [{ hosts: [INGRESS.host], secretName: 'certificate' }])
    assert.throws(() => renderChart({ ingress: { enabled: true } }), /ingress\.host must name/)
  })
})

it('the health annotations use the health port', () => {
  for (const part of ['worker', 'api', 'indexer']) {
    const values = mapAt(readYaml('helm/orbweaver/values.yaml'), part)
    const { podAnnotations, healthPort } = values as { podAnnotations: Record<string, string>; healthPort: number }
    assert.equal(podAnnotations['prometheus.io/port'], String(healthPort))
  }
})

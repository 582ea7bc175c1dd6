// The rendered chart, for its default values and for others. Whether Kubernetes accepts it is not tested, as there is
// no cluster.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { envOf, SCHEMA } from '../../src/config/schema.ts'
import { checkAddress } from '../../src/worker/health/address.ts'
import { ENV_NAMES, listAt, mapAt, readYaml, renderChart, valueAt } from './testing/deploy-files.ts'

const PLAIN = [
  'Deployment/api',
  'NetworkPolicy',
  'NetworkPolicy/api',
  'Secret/health',
  'Service/api',
  'Service/worker',
  'StatefulSet/worker',
]
const FULL = {
  store: { password: 'pass"word: #1' },
  worker: {
    env: { ORBWEAVER_LEASE: '60000' },
    nodeSelector: { disk: 'ssd' },
    tolerations: [{ key: 'spot', operator: 'Exists' }],
    affinity: { podAntiAffinity: {} },
    storage: { className: 'fast' },
  },
  autoscaling: { enabled: true, backlog: { enabled: true } },
  networkPolicy: { storeTo: [{ ipBlock: { cidr: '10.1.2.3/32' } }] },
  podMonitor: { enabled: true, labels: { release: 'prometheus' } },
  api: { storage: { size: '5Gi' } },
  indexer: { isSeparate: true },
  ingress: { enabled: true, host: 'crawl.example.com', tlsSecret: 'certificate' },
}

function workerOf(overlay?: object): { set: unknown; pod: unknown; container: unknown; env: Map<string, unknown> } {
  const set = renderChart(overlay).get('StatefulSet/worker')
  const container = valueAt(set, 'spec.template.spec.containers.0')
  const env = new Map(listAt(container, 'env').map((entry) => [String(valueAt(entry, 'name')), entry]))
  return { set, pod: valueAt(set, 'spec.template.spec'), container, env }
}

describe('the chart', () => {
  it('creates workers, the API, their services and network policies by default, the rest on demand', () => {
    assert.deepEqual([...renderChart().keys()].sort(), PLAIN)
    const more = ['Deployment/indexer', 'HorizontalPodAutoscaler/worker', 'Ingress/api', 'PersistentVolumeClaim/api']
    assert.deepEqual([...renderChart(FULL).keys()].sort(), [...PLAIN, ...more, 'PodMonitor', 'Secret'].sort())
    const open = renderChart({ networkPolicy: { enabled: false } })
    assert.deepEqual(
      [...open.keys()].sort(),
      PLAIN.filter((key) => !key.startsWith('NetworkPolicy')),
    )
  })

  it('uses the release name once', () => {
    const name = (release: string) => valueAt(renderChart({}, release).get('Service/worker'), 'metadata.name')
    assert.equal(name('demo'), 'demo-orbweaver-worker')
    assert.equal(name('orbweaver'), 'orbweaver-worker')
    assert.equal(mapAt(renderChart({}, '7').get('Service/api'), 'spec.selector')['app.kubernetes.io/instance'], '7')
  })

  it('every selector matches its own pods and no others', () => {
    const manifests = renderChart(FULL)
    const pods = ['StatefulSet/worker', 'Deployment/api', 'Deployment/indexer']
    const found = (selector: Record<string, unknown>) =>
      pods.filter((key) => {
        const labels = mapAt(manifests.get(key), 'spec.template.metadata.labels')
        return Object.entries(selector).every(([name, value]) => labels[name] === value)
      })
    for (const key of pods) assert.deepEqual(found(mapAt(manifests.get(key), 'spec.selector.matchLabels')), [key])
    assert.deepEqual(found(mapAt(manifests.get('Service/worker'), 'spec.selector')), ['StatefulSet/worker'])
    assert.deepEqual(found(mapAt(manifests.get('Service/api'), 'spec.selector')), ['Deployment/api'])
    assert.deepEqual(found(mapAt(manifests.get('NetworkPolicy/api'), 'spec.podSelector.matchLabels')), [
      'Deployment/api',
    ])
    assert.deepEqual(found(mapAt(manifests.get('NetworkPolicy'), 'spec.podSelector.matchLabels')), pods)
    assert.deepEqual(found(mapAt(manifests.get('PodMonitor'), 'spec.selector.matchLabels')), pods)
  })

  it('every environment variable is a valid setting', () => {
    const { env } = workerOf(FULL)
    for (const name of env.keys()) assert.ok(ENV_NAMES.has(name) || ['PGPASSWORD', 'POD_NAME'].includes(name), name)
    assert.equal(valueAt(env.get('ORBWEAVER_LEASE'), 'value'), '60000')
  })

  it('the health ports share a secret that the chart creates once and upgrades keep', () => {
    const first = renderChart()
    const secret = String(valueAt(first.get('Secret/health'), 'data.secret'))
    assert.equal(Buffer.from(secret, 'base64').length, 48)
    assert.notEqual(valueAt(renderChart().get('Secret/health'), 'data.secret'), secret)
    const name = String(valueAt(first.get('Secret/health'), 'metadata.name'))
    const upgraded = renderChart({}, 'demo', { [`Secret/${name}`]: { data: { secret } } })
    assert.equal(valueAt(upgraded.get('Secret/health'), 'data.secret'), secret)

    const own = renderChart({ ...FULL, health: { existingSecret: 'mine', secretKey: 'word' } })
    assert.equal(own.has('Secret/health'), false)
    for (const [manifests, ref] of [
      [renderChart(FULL), { name, key: 'secret' }],
      [own, { name: 'mine', key: 'word' }],
    ] as const) {
      for (const key of ['StatefulSet/worker', 'Deployment/api', 'Deployment/indexer']) {
        const env = listAt(manifests.get(key), 'spec.template.spec.containers.0.env')
        const setting = env.find((one) => valueAt(one, 'name') === envOf('healthSecret'))
        assert.deepEqual(valueAt(setting, 'valueFrom.secretKeyRef'), ref, key)
      }
      const [endpoint] = listAt(manifests.get('PodMonitor'), 'spec.podMetricsEndpoints')
      assert.deepEqual(valueAt(endpoint, 'authorization.credentials'), ref)
    }
  })

  it('other pods reach a worker by the name that its service gives it', () => {
    const { set, env } = workerOf()
    assert.equal(valueAt(env.get('POD_NAME'), 'valueFrom.fieldRef.fieldPath'), 'metadata.name')
    const address = String(valueAt(env.get('ORBWEAVER_ADDRESS'), 'value'))
    assert.equal(address, `http://$(POD_NAME).${valueAt(set, 'spec.serviceName')}:${SCHEMA.healthPort.default}`)
    // Kubernetes expands only variables that are defined before.
    assert.ok([...env.keys()].indexOf('POD_NAME') < [...env.keys()].indexOf('ORBWEAVER_ADDRESS'))
    assert.equal(checkAddress(address.replace('$(POD_NAME)', 'w-0')), address.replace('$(POD_NAME)', 'w-0'))
  })

  it('services of the cluster are not injected into the environment', () => {
    assert.equal(valueAt(workerOf().pod, 'enableServiceLinks'), false)
  })

  it('sets the number of replicas, unless an autoscaler does', () => {
    assert.equal(valueAt(workerOf({ worker: { replicaCount: 8 } }).set, 'spec.replicas'), 8)
    assert.equal(valueAt(workerOf({ autoscaling: { enabled: true } }).set, 'spec.replicas'), undefined)
  })

  it("the termination grace period is longer than a worker's shutdown", () => {
    const { pod, env } = workerOf()
    assert.equal(valueAt(env.get('ORBWEAVER_GRACE'), 'value'), String(SCHEMA.grace.default))
    assert.equal(valueAt(pod, 'terminationGracePeriodSeconds'), SCHEMA.grace.default / 1000 + 15)
  })

  it('a number that Helm would format wrongly is rejected with a clear message', () => {
    assert.throws(() => renderChart({ worker: { env: { ORBWEAVER_LEASE: 5_000_000 } } }), /LEASE must be in quotes/)
  })

  it('probes request paths that the health port serves', () => {
    const { container } = workerOf()
    const probes = ['startupProbe', 'livenessProbe', 'readinessProbe'].map((name) =>
      valueAt(container, `${name}.httpGet`),
    )
    assert.deepEqual(probes, [
      { path: '/healthz', port: 'health' },
      { path: '/healthz', port: 'health' },
      { path: '/readyz', port: 'health' },
    ])
    const port = SCHEMA.healthPort.default
    assert.deepEqual(listAt(container, 'ports'), [{ name: 'health', containerPort: port }])
    const { annotations } = mapAt(workerOf().set, 'spec.template.metadata')
    assert.equal((annotations as Record<string, string>)['prometheus.io/port'], String(port))
  })

  it('the pod is not root, writes only to its volumes, and has no service account token', () => {
    const { set, pod, container } = workerOf()
    assert.equal(valueAt(pod, 'securityContext.runAsNonRoot'), true)
    assert.equal(valueAt(pod, 'automountServiceAccountToken'), false)
    assert.equal(valueAt(container, 'securityContext.readOnlyRootFilesystem'), true)
    assert.equal(valueAt(container, 'securityContext.allowPrivilegeEscalation'), false)
    assert.deepEqual(valueAt(container, 'securityContext.capabilities.drop'), ['ALL'])
    const volumes = [
      ...listAt(pod, 'volumes'),
      ...listAt(set, 'spec.volumeClaimTemplates').map((c) => valueAt(c, 'metadata')),
    ]
    const mounted = listAt(container, 'volumeMounts').map((mount) => valueAt(mount, 'name'))
    assert.deepEqual(mounted.sort(), volumes.map((volume) => valueAt(volume, 'name')).sort())
  })

  it('each worker has its own volume', () => {
    const claim = valueAt(workerOf(FULL).set, 'spec.volumeClaimTemplates.0.spec')
    assert.equal(valueAt(claim, 'storageClassName'), 'fast')
    assert.equal(valueAt(workerOf().set, 'spec.volumeClaimTemplates.0.spec.storageClassName'), undefined)
  })

  it('the versions of the chart and the image match the program', () => {
    const { version } = readYaml('../package.json') as { version: string }
    assert.equal(valueAt(readYaml('helm/orbweaver/Chart.yaml'), 'appVersion'), version)
    assert.equal(valueAt(workerOf().container, 'image'), `orbweaver:${version}`)
    assert.equal(valueAt(workerOf({ image: { tag: 'next' } }).container, 'image'), 'orbweaver:next')
  })
})

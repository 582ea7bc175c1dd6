// The optional parts of the chart: secret, autoscaler, network policy, monitor.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { listAt, mapAt, readYaml, renderChart, valueAt } from './testing/deploy-files.ts'

function passwordRef(overlay: object): unknown {
  const env = listAt(renderChart(overlay).get('StatefulSet/worker'), 'spec.template.spec.containers.0.env')
  return valueAt(
    env.find((entry) => valueAt(entry, 'name') === 'PGPASSWORD'),
    'valueFrom.secretKeyRef',
  )
}

describe('the password of the store', () => {
  it('is in no manifest but a secret, and survives every character', () => {
    const password = 'pass"word: #1\\'
    const manifests = renderChart({ store: { password } })
    assert.equal(valueAt(manifests.get('Secret'), 'stringData.password'), password)
    manifests.delete('Secret')
    assert.doesNotMatch(JSON.stringify([...manifests.values()]), /pass\\"word/)
  })

  it('is read from the secret that the chart creates', () => {
    const overlay = { store: { password: 'x', passwordKey: 'key' } }
    const secret = renderChart(overlay).get('Secret')
    assert.deepEqual(passwordRef(overlay), { name: valueAt(secret, 'metadata.name'), key: 'key' })
    assert.equal(valueAt(secret, 'stringData.key'), 'x')
  })

  it('is read from an existing secret, and none is created', () => {
    const overlay = { store: { existingSecret: 'mine', password: 'ignored' } }
    assert.deepEqual(passwordRef(overlay), { name: 'mine', key: 'password' })
    assert.equal(renderChart(overlay).has('Secret'), false)
  })

  it('may be omitted', () => {
    assert.equal(passwordRef({}), undefined)
  })

  it('is not in the default values', () => {
    const values = readYaml('helm/orbweaver/values.yaml')
    assert.equal(valueAt(values, 'store.password'), '')
    assert.equal(new URL(String(valueAt(values, 'store.url'))).password, '')
  })
})

describe('an archive in object storage', () => {
  const variables = (overlay: object, kind: string) =>
    listAt(renderChart(overlay).get(kind), 'spec.template.spec.containers.0.env')
  const find = (overlay: object, name: string, kind = 'StatefulSet/worker') =>
    variables(overlay, kind).find((entry) => valueAt(entry, 'name') === name)

  it('is the same for workers and API, one bucket per line', () => {
    const overlay = { archive: { stores: ['s3://pages/a', 's3://more/a?region=eu-west-1'] } }
    for (const kind of ['StatefulSet/worker', 'Deployment/api'])
      assert.equal(
        valueAt(find(overlay, 'ORBWEAVER_ARCHIVE_STORE', kind), 'value'),
        's3://pages/a\ns3://more/a?region=eu-west-1',
      )
    assert.equal(find({}, 'ORBWEAVER_ARCHIVE_STORE'), undefined)
  })

  it('takes its credentials from a secret', () => {
    const overlay = { archive: { existingSecret: 'bucket' } }
    for (const key of ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'])
      assert.deepEqual(valueAt(find(overlay, key), 'valueFrom.secretKeyRef'), { name: 'bucket', key })
    assert.equal(find({}, 'AWS_ACCESS_KEY_ID'), undefined)
  })
})

describe('the autoscaler', () => {
  const scaler = (overlay: object) => renderChart({ autoscaling: { enabled: true, ...overlay } })

  it('scales the workers', () => {
    const manifests = scaler({})
    const { kind, name } = valueAt(manifests.get('HorizontalPodAutoscaler/worker'), 'spec.scaleTargetRef') as Record<
      string,
      string
    >
    assert.equal(valueAt(manifests.get(`${kind}/worker`), 'metadata.name'), name)
  })

  it('uses the backlog metric only if an adapter is configured', () => {
    const types = (overlay: object) =>
      listAt(scaler(overlay).get('HorizontalPodAutoscaler/worker'), 'spec.metrics').map((metric) =>
        valueAt(metric, 'type'),
      )
    assert.deepEqual(types({}), ['Resource'])
    assert.deepEqual(types({ backlog: { enabled: true } }), ['Resource', 'External'])
  })

  it('uses the metric that the adapter serves', () => {
    const metrics = listAt(scaler({ backlog: { enabled: true } }).get('HorizontalPodAutoscaler/worker'), 'spec.metrics')
    const used = valueAt(metrics[1], 'external.metric.name')
    assert.equal(used, valueAt(readYaml('helm/prometheus-adapter.yaml'), 'rules.external.0.name.as'))
  })

  it('has a CPU request to measure against', () => {
    const container = valueAt(scaler({}).get('StatefulSet/worker'), 'spec.template.spec.containers.0')
    assert.ok(valueAt(container, 'resources.requests.cpu'))
  })
})

describe('the network policy', () => {
  const egress = (overlay: object = {}) =>
    listAt(renderChart({ networkPolicy: overlay }).get('NetworkPolicy'), 'spec.egress')

  it('lets pods reach DNS, the store, workers and the web, but no other private address', () => {
    const [names, store, workers, web] = egress()
    assert.deepEqual(
      listAt(names, 'ports').map((port) => valueAt(port, 'port')),
      [53, 53],
    )
    assert.deepEqual(listAt(store, 'ports'), [{ protocol: 'TCP', port: 5432 }])
    assert.deepEqual(listAt(workers, 'ports'), [{ protocol: 'TCP', port: 8081 }])
    const to = mapAt(workers, 'to.0.podSelector.matchLabels')
    assert.equal(to['app.kubernetes.io/component'], 'worker')
    const except = listAt(web, 'to').flatMap((peer) => listAt(peer, 'ipBlock.except'))
    for (const range of ['10.0.0.0/8', '192.168.0.0/16', '169.254.0.0/16', 'fc00::/7'])
      assert.ok(except.includes(range))
  })

  it('restricts the store address if it is configured', () => {
    const storeTo = [{ ipBlock: { cidr: '10.1.2.3/32' } }]
    assert.deepEqual(valueAt(egress({ storeTo })[1], 'to'), storeTo)
    assert.equal(valueAt(egress()[1], 'to'), undefined)
  })

  it('admits others to the health port and to the API', () => {
    const portsOf = (key: string) =>
      listAt(renderChart().get(key), 'spec.ingress').map((rule) =>
        listAt(rule, 'ports').map((port) => valueAt(port, 'port')),
      )
    assert.deepEqual(portsOf('NetworkPolicy'), [['health']])
    assert.deepEqual(portsOf('NetworkPolicy/api'), [['http']])
  })

  it('lets pods of the release read pages from each other, even if others may not', () => {
    const manifests = renderChart({ networkPolicy: { healthFrom: [{ ipBlock: { cidr: '10.9.9.9/32' } }] } })
    const from = listAt(manifests.get('NetworkPolicy'), 'spec.ingress.0.from')
    assert.equal(from.length, 2)
    const labels = mapAt(manifests.get('Deployment/api'), 'spec.template.metadata.labels')
    for (const [name, value] of Object.entries(mapAt(from[1], 'podSelector.matchLabels'))) {
      assert.equal(labels[name], value)
    }
  })
})

it('the monitor reads the metrics of the health port, under the names that the alerts use', () => {
  const manifests = renderChart({ podMonitor: { enabled: true, labels: { release: 'prometheus' } } })
  const monitor = manifests.get('PodMonitor')
  const [endpoint] = listAt(monitor, 'spec.podMetricsEndpoints')
  for (const key of ['StatefulSet/worker', 'Deployment/api']) {
    const ports = listAt(manifests.get(key), 'spec.template.spec.containers.0.ports').map((port) =>
      valueAt(port, 'name'),
    )
    assert.ok(ports.includes(valueAt(endpoint, 'port')), key)
  }
  assert.equal(valueAt(endpoint, 'path'), '/metrics')
  assert.equal(mapAt(monitor, 'metadata.labels')['release'], 'prometheus')
  const label = String(valueAt(monitor, 'spec.jobLabel'))
  const jobs = listAt(readYaml('prometheus/prometheus.yaml'), 'scrape_configs').map((one) => valueAt(one, 'job_name'))
  assert.equal(mapAt(manifests.get('StatefulSet/worker'), 'spec.template.metadata.labels')[label], jobs[0])
  const { regex, replacement } = valueAt(endpoint, 'relabelings.0') as Record<'regex' | 'replacement', string>
  assert.equal('api'.replace(new RegExp(`^(?:${regex})$`), replacement), jobs[1])
})

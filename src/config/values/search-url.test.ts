import assert from 'node:assert/strict'
import { it } from 'node:test'
import { parseSearchUrl, withEnvironment } from './search-url.ts'

it('a search URL names nodes, credentials, prefix and the settings of indices', () => {
  const url = 'opensearchs://me:p%40ss:x@a:9201,b,[::1]:9202/pages?shards=3&replicas=0&refresh=5000'
  assert.deepEqual(parseSearchUrl(url), {
    nodes: ['https://a:9201', 'https://b:9200', 'https://[::1]:9202'],
    user: 'me',
    password: 'p@ss:x',
    prefix: 'pages',
    shards: 3,
    replicas: 0,
    refreshMs: 5000,
  })
  const plain = parseSearchUrl('opensearch://a')
  assert.deepEqual(plain?.nodes, ['http://a:9200'])
  assert.deepEqual([plain?.prefix, plain?.shards, plain?.replicas, plain?.refreshMs], ['web-crawler', 1, 1, 1000])
})

it('other URLs are rejected', () => {
  for (const url of [
    '',
    'http://a:9200',
    'opensearch://',
    'opensearch://a:99999',
    'opensearch://a/Upper',
    'opensearch://a/x/y',
    'opensearch://a?shards=0',
    'opensearch://a?what=1',
    'opensearch://a,,b',
    'opensearch://%zz@a',
  ])
    assert.equal(parseSearchUrl(url), null, url)
})

it('credentials of the environment apply if the URL has none', () => {
  const env = { OPENSEARCH_USERNAME: 'env', OPENSEARCH_PASSWORD: 'secret' }
  const read = (url: string) => withEnvironment(parseSearchUrl(url) ?? assert.fail(), env)
  assert.deepEqual([read('opensearch://a').user, read('opensearch://a').password], ['env', 'secret'])
  assert.deepEqual([read('opensearch://me:x@a').user, read('opensearch://me:x@a').password], ['me', 'x'])
})

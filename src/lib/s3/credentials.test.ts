import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { CredentialChain, readProfile } from './credentials.ts'

const NOWHERE = { HOME: '/nonexistent', AWS_EC2_METADATA_DISABLED: 'true' }
const KEYS = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'key' }

function makeFolder(t: TestContext): string {
  const dir = mkdtempSync(join(tmpdir(), 'orbweaver-credentials-'))
  t.after(() => rmSync(dir, { recursive: true }))
  return dir
}

/** Responds with the body of the path. Returns its address and the requests. */
async function serve(t: TestContext, bodies: Record<string, () => string>) {
  const requests: string[] = []
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`)
    const body = bodies[request.url ?? '']
    response.writeHead(body === undefined ? 404 : 200).end(body?.())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => server.close())
  return { requests, address: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

test('the environment comes first', async () => {
  const chain = new CredentialChain({ ...NOWHERE, ...KEYS, AWS_SESSION_TOKEN: 'token' }, Date.now)
  const { accessKeyId, secretAccessKey, sessionToken } = await chain.get()
  assert.deepEqual([accessKeyId, secretAccessKey, sessionToken], ['id', 'key', 'token'])
})

test('a profile of the shared files is used, with its region', async (t) => {
  const dir = makeFolder(t)
  const env = { ...NOWHERE, AWS_SHARED_CREDENTIALS_FILE: join(dir, 'c'), AWS_CONFIG_FILE: join(dir, 'f') }
  writeFileSync(
    env.AWS_SHARED_CREDENTIALS_FILE,
    '# keys\n[default]\naws_access_key_id = a\naws_secret_access_key=b==\n[team]\naws_access_key_id=c\naws_secret_access_key=d\n',
  )
  writeFileSync(env.AWS_CONFIG_FILE, '[default]\nregion = eu-west-1\n[profile team]\nregion=us-west-2\ns3 =\n  x = 1\n')
  const get = async (more: object) => {
    const { accessKeyId, secretAccessKey } = await new CredentialChain({ ...env, ...more }, Date.now).get()
    return [accessKeyId, secretAccessKey]
  }
  assert.deepEqual(await get({}), ['a', 'b=='])
  assert.deepEqual(await get({ AWS_PROFILE: 'team' }), ['c', 'd'])
  assert.equal((await readProfile({ ...env, AWS_PROFILE: 'team' }))['region'], 'us-west-2')
})

test('credentials of a web identity are renewed before they expire', async (t) => {
  let issued = 0
  const answer = () => {
    issued += 1
    const expires = new Date(issued * 3_600_000).toISOString()
    return `<R><Credentials><AccessKeyId>id${issued}</AccessKeyId><SecretAccessKey>key</SecretAccessKey>
      <SessionToken>t&amp;t</SessionToken><Expiration>${expires}</Expiration></Credentials></R>`
  }
  const { address, requests } = await serve(t, { '/': answer })
  const file = join(makeFolder(t), 'token')
  writeFileSync(file, 'identity\n')
  const identity = { AWS_WEB_IDENTITY_TOKEN_FILE: file, AWS_ROLE_ARN: 'arn:aws:iam::1:role/r' }
  let now = 0
  const chain = new CredentialChain({ ...NOWHERE, ...identity, AWS_ENDPOINT_URL_STS: address }, () => now)
  assert.equal((await chain.get()).accessKeyId, 'id1')
  assert.equal((await chain.get()).sessionToken, 't&t')
  now = 3_600_000 - 299_000
  assert.equal((await chain.get()).accessKeyId, 'id2')
  assert.deepEqual(requests, ['POST /', 'POST /'])
})

test('credentials that always expire soon are requested once a minute', async (t) => {
  let now = 0
  let isBroken = false
  const answer = () => {
    const Expiration = new Date(now + 240_000).toISOString()
    return isBroken ? '' : JSON.stringify({ AccessKeyId: `at ${now}`, SecretAccessKey: 'b', Token: 'c', Expiration })
  }
  const { address, requests } = await serve(t, { '/': answer })
  const chain = new CredentialChain({ ...NOWHERE, AWS_CONTAINER_CREDENTIALS_FULL_URI: address }, () => now)
  const get = async () => {
    const found = await Promise.all([chain.get(), chain.get(), chain.get()])
    return [...new Set(found.map(({ accessKeyId }) => accessKeyId))]
  }
  assert.deepEqual(await get(), ['at 0'])
  now = 59_999
  assert.deepEqual(await get(), ['at 0'])
  assert.equal(requests.length, 1)
  now = 60_000
  assert.ok((await get()).includes('at 60000'))
  assert.deepEqual(await get(), ['at 60000'])
  assert.equal(requests.length, 2)
  // If renewing fails, credentials that are still valid are kept.
  isBroken = true
  now = 120_000
  await get()
  assert.deepEqual(await get(), ['at 60000'])
  assert.equal(requests.length, 3)
  now = 60_000 + 240_000
  await assert.rejects(chain.get())
  isBroken = false
  assert.deepEqual(await get(), [`at ${now}`])
})

test('a container and an instance have credentials of their own', async (t) => {
  const json = () => JSON.stringify({ AccessKeyId: 'c', SecretAccessKey: 'd', Token: 'e' })
  const role = '/latest/meta-data/iam/security-credentials/'
  const { address } = await serve(t, {
    '/container': json,
    '/latest/api/token': () => 'token',
    [role]: () => 'worker\n',
    [`${role}worker`]: json,
  })
  const container = { ...NOWHERE, AWS_CONTAINER_CREDENTIALS_FULL_URI: `${address}/container` }
  assert.equal((await new CredentialChain(container, Date.now).get()).sessionToken, 'e')
  const instance = { HOME: '/nonexistent', AWS_EC2_METADATA_SERVICE_ENDPOINT: address }
  assert.equal((await new CredentialChain(instance, Date.now).get()).accessKeyId, 'c')
})

test('without credentials the message says how to give them', async () => {
  await assert.rejects(new CredentialChain(NOWHERE, Date.now).get(), /Set AWS_ACCESS_KEY_ID/)
})

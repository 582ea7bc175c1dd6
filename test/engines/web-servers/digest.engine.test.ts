// Crawls a site of Apache that asks for digest authentication (mod_auth_digest).

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { closedPort } from '../../../src/engine/fetch/testing/test-client.ts'
import { makeTemporaryFolder, parseSummary, runProgram } from '../../testing/program.ts'
import { waitUntil } from '../../testing/wait-until.ts'
import { isListening } from './is-listening.ts'

const [apache = '', modules = ''] = (process.env['TEST_APACHE'] ?? '').split(':')
const MODULES = ['mpm_event', 'authn_core', 'authn_file', 'authz_core', 'authz_user', 'auth_digest', 'mime', 'dir']
/** Some distributions have these in the program itself. */
const MAYBE_BUILT_IN = ['unixd', 'log_config'].filter((name) => existsSync(`${modules}/mod_${name}.so`))
const PAGES = 5

/** Nonces of this server are stale after two seconds. */
async function startApache(t: TestContext): Promise<{ port: number; readLog: () => string[] }> {
  const folder = makeTemporaryFolder(t)
  const site = join(folder, 'site')
  mkdirSync(site)
  // Apache gives up the rights of root.
  for (const each of [folder, site]) chmodSync(each, 0o755)
  const links = Array.from({ length: PAGES }, (_, i) => `<a href="/${i}.html?a=b">${i}</a>`).join('')
  writeFileSync(join(site, 'index.html'), `<title>Orchard</title>${links}`)
  for (let i = 0; i < PAGES; i += 1) writeFileSync(join(site, `${i}.html`), `<title>Tree ${i}</title>`)
  writeFileSync(join(site, 'robots.txt'), '')
  const password = createHash('md5').update('g\u00e4rtner:orchard:apple:pie').digest('hex')
  writeFileSync(join(folder, 'users'), `g\u00e4rtner:orchard:${password}\n`)
  const port = await closedPort()
  const log = join(folder, 'access.log')
  const lines = [
    ...[...MODULES, ...MAYBE_BUILT_IN].map((name) => `LoadModule ${name}_module ${modules}/mod_${name}.so`),
    `Listen 127.0.0.1:${port}`,
    'ServerName localhost',
    ...(process.getuid?.() === 0 ? ['User nobody', 'Group nogroup'] : []),
    `PidFile ${folder}/pid`,
    `DefaultRuntimeDir ${folder}`,
    `ErrorLog ${folder}/error.log`,
    `CustomLog ${log} "%>s %U"`,
    'TypesConfig /dev/null',
    'AddType text/html .html',
    `DocumentRoot ${site}`,
    'DirectoryIndex index.html',
    `<Directory ${site}>`,
    'AuthType Digest',
    'AuthName "orchard"',
    `AuthUserFile ${folder}/users`,
    'AuthDigestNonceLifetime 2',
    'Require valid-user',
    '</Directory>',
  ]
  writeFileSync(join(folder, 'conf'), `${lines.join('\n')}\n`)
  const child = spawn(apache, ['-X', '-d', folder, '-f', join(folder, 'conf')], { stdio: 'inherit' })
  t.after(async () => {
    child.kill()
    await once(child, 'exit')
  })
  await waitUntil(() => isListening(port))
  return { port, readLog: () => readFileSync(log, 'utf8').trim().split('\n') }
}

async function crawl(t: TestContext, port: number, credentials: string) {
  const data = join(makeTemporaryFolder(t), 'data')
  const flags = ['--allow-private', '--delay', '900', '--json', '--no-sitemaps', '--min-free-disk', '0']
  const auth = ['--auth', `localhost:${port}=digest ${credentials}`]
  return runProgram(['crawl', `http://localhost:${port}/`, '--data', data, ...flags, ...auth])
}

describe('a site of Apache with digest authentication', () => {
  it('is crawled, with a challenge at first and whenever a nonce is stale', async (t) => {
    const { port, readLog } = await startApache(t)
    const result = await crawl(t, port, 'g\u00e4rtner:apple:pie')
    assert.equal(result.code, 0, result.stderr)
    assert.equal(parseSummary(result).states['visited'], PAGES + 1)
    const log = readLog()
    const refused = log.filter((line) => line.startsWith('401 ')).length
    t.diagnostic(`${log.length} requests, ${refused} challenges`)
    assert.equal(log.filter((line) => line.startsWith('200 ')).length, PAGES + 2)
    assert.ok(refused >= 2 && refused < log.length / 2, log.join('\n'))
  })

  it('refuses a wrong password after one try', async (t) => {
    const { port, readLog } = await startApache(t)
    const result = await crawl(t, port, 'g\u00e4rtner:pear')
    assert.equal(result.code, 1)
    assert.ok(
      readLog().every((line) => line.startsWith('401 ')),
      readLog().join('\n'),
    )
    assert.ok(readLog().length <= 6, readLog().join('\n'))
  })
})

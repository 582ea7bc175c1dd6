import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it, type TestContext } from 'node:test'
import { readCookieFile } from './cookie-file.ts'

function fileWith(t: TestContext, content: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'orbweaver-cookies-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'cookies')
  writeFileSync(file, content)
  return file
}

const SEEDS = ['https://me:pw@www.shop.co.uk/start', { text: 'a.test', place: 'f' }]

it('cookies.txt is read, for the sites of the start URLs alone', async (t) => {
  const lines = [
    '# Netscape HTTP Cookie File',
    '',
    '.shop.co.uk\tTRUE\t/\tTRUE\t1900000000\tsid\tv=1',
    '#HttpOnly_www.shop.co.uk\tFALSE\t/x\tFALSE\t0\tlogin\tabc',
    'api.a.test\tFALSE\t/\tFALSE\t0\tempty\t',
    '.other.co.uk\tTRUE\t/\tTRUE\t0\tbank\tsecret',
  ]
  assert.deepEqual(await readCookieFile(fileWith(t, lines.join('\r\n')), SEEDS), [
    'sid=v=1; Domain=shop.co.uk; Path=/; Secure; Expires=Sun, 17 Mar 2030 17:46:40 GMT',
    'login=abc; Domain=www.shop.co.uk; Path=/x; HostOnly',
    'empty=; Domain=api.a.test; Path=/; HostOnly',
  ])
})

it('JSON of browser extensions and of Playwright is read', async (t) => {
  const extension = [
    { domain: '.a.test', name: 'sid', value: '1', path: '/', secure: true, hostOnly: false, expirationDate: 1.9e9 },
    { domain: 'a.test', name: 'own', value: '2', path: '/', secure: false, hostOnly: true, session: true },
    { domain: 'b.test', name: 'other', value: '3' },
    null,
  ]
  assert.deepEqual(await readCookieFile(fileWith(t, JSON.stringify(extension)), SEEDS), [
    'sid=1; Domain=a.test; Path=/; Secure; Expires=Sun, 17 Mar 2030 17:46:40 GMT',
    'own=2; Domain=a.test; Path=/; HostOnly',
  ])
  const cookies = [{ name: 'p', value: '4', domain: 'a.test', path: '/', expires: -1, secure: true }]
  const state = JSON.stringify({ cookies, origins: [] })
  assert.deepEqual(await readCookieFile(fileWith(t, state), SEEDS), ['p=4; Domain=a.test; Path=/; HostOnly; Secure'])
})

it('a file without fitting cookies is an error that does not quote it', async (t) => {
  for (const content of ['', 'sid=geheim', '[', '{"geheim": 1}', '.b.test\tTRUE\t/\tTRUE\t0\tsid\tgeheim'])
    await assert.rejects(
      readCookieFile(fileWith(t, content), SEEDS),
      ({ code, message }: Error & { code: string }) => code === 'BAD_CONFIG' && !message.includes('geheim'),
      content,
    )
  await assert.rejects(readCookieFile('/nowhere/cookies', SEEDS), { code: 'FILE_UNREADABLE' })
})

import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { findBrowser } from './find-browser.ts'

const noPackage = () => {
  throw new Error('not installed')
}

function folderWith(t: { after(callback: () => void): void }, names: string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'orbweaver-path-'))
  t.after(() => rmSync(folder, { recursive: true }))
  for (const name of names) {
    writeFileSync(join(folder, name), '')
    chmodSync(join(folder, name), 0o755)
  }
  return folder
}

describe('the browser for rendering', () => {
  it('is the one that --browser names', async (t) => {
    const folder = folderWith(t, ['chromium', 'mine'])
    const search = { env: { PATH: folder }, resolvePackage: noPackage }
    const { path, source } = await findBrowser(join(folder, 'mine'), search)
    assert.deepEqual([path, source], [join(folder, 'mine'), 'setting'])
  })

  it('is missing if --browser names no executable file, whatever else there is', async (t) => {
    const folder = folderWith(t, ['chromium'])
    mkdirSync(join(folder, 'folder'))
    for (const name of ['nothing', 'folder']) {
      const search = { env: { PATH: folder }, resolvePackage: noPackage }
      await assert.rejects(findBrowser(join(folder, name), search), { code: 'BROWSER_MISSING' })
    }
  })

  it('is a headless shell of the machine rather than a full browser', async (t) => {
    const [first, second] = [folderWith(t, ['chromium']), folderWith(t, ['chromium-headless-shell'])]
    const { path } = await findBrowser(null, { env: { PATH: `${first}:${second}` }, resolvePackage: noPackage })
    assert.equal(path, join(second, 'chromium-headless-shell'))
  })

  it('is Chromium or Chrome of the machine without a headless shell or the package', async (t) => {
    const folder = folderWith(t, ['google-chrome', 'chromium'])
    const { path, source } = await findBrowser(null, { env: { PATH: folder }, resolvePackage: noPackage })
    assert.deepEqual([path, source], [join(folder, 'chromium'), 'machine'])
  })

  it('is missing otherwise, and the message says what to install', async () => {
    const missing = findBrowser(null, { env: { PATH: '' }, resolvePackage: noPackage })
    await assert.rejects(missing, { code: 'BROWSER_MISSING', message: /npm install @sparticuz\/chromium/ })
  })
})

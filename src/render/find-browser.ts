// Finds a browser: the one at --browser, a headless shell of the machine, the optional npm package, which is a
// headless shell too, or Chromium or Chrome of the machine.

import { execFile } from 'node:child_process'
import { accessSync, constants, existsSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { AppError } from '../lib/errors.ts'

export interface BrowserLocation {
  path: string
  source: 'setting' | 'machine' | 'package'
  /** Environment variables that this browser needs. */
  env: Record<string, string>
}

const PACKAGE = '@sparticuz/chromium'
/** Takes a seventh of the CPU of the full browser for a small page (123 ms instead of 890, 2026-11). */
const HEADLESS_SHELLS = ['chrome-headless-shell', 'chromium-headless-shell', 'headless_shell']
const FULL_BROWSERS = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'microsoft-edge']
const MAC_APPS = [
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

export interface BrowserSearch {
  env: Record<string, string | undefined>
  /** The URL of the optional package; throws if it is not installed. */
  resolvePackage: () => string
}

const MACHINE: BrowserSearch = { env: process.env, resolvePackage: () => import.meta.resolve(PACKAGE) }

/** Throws BROWSER_MISSING if there is none. */
export async function findBrowser(named: string | null, search: BrowserSearch = MACHINE): Promise<BrowserLocation> {
  if (named !== null) {
    if (!isExecutable(named)) {
      throw new AppError(
        'BROWSER_MISSING',
        `The browser ${named} is not an executable file. Correct --browser or ORBWEAVER_BROWSER.`,
      )
    }
    return { path: named, source: 'setting', env: {} }
  }
  const shell = findInPath(search, HEADLESS_SHELLS)
  if (shell !== undefined) return shell
  const entry = resolveEntry(search)
  if (entry !== null) return await unpackPackage(entry)
  const full = findInPath(search, FULL_BROWSERS) ?? MAC_APPS.filter(isExecutable).map(onMachine)[0]
  if (full !== undefined) return full
  const advice = `Install Chromium or Chrome, set --browser or ORBWEAVER_BROWSER, or run: npm install ${PACKAGE}`
  throw new AppError('BROWSER_MISSING', `Rendering needs a browser, and none was found. ${advice}`)
}

function findInPath({ env }: BrowserSearch, names: string[]): BrowserLocation | undefined {
  const folders = (env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '')
  const path = folders.flatMap((folder) => names.map((name) => join(folder, name))).find(isExecutable)
  return path === undefined ? undefined : onMachine(path)
}

function onMachine(path: string): BrowserLocation {
  return { path, source: 'machine', env: {} }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}

/**
 * The package unpacks its browser into the folder for temporary files, and uses an existing copy there. Since other
 * users can write to that folder, the browser is unpacked in a private folder, once per version of the package.
 */
async function unpackPackage(entry: string): Promise<BrowserLocation> {
  const folder = join(tmpdir(), `orbweaver-chromium-${versionOf(entry)}-${userInfo().uid}`)
  if (!existsSync(folder)) {
    const fresh = mkdtempSync(`${folder}-`)
    const script = `import(${JSON.stringify(entry)}).then((browser) => browser.default.executablePath())`
    await promisify(execFile)(process.execPath, ['-e', script], { env: { ...process.env, TMPDIR: fresh } })
    moveInto(fresh, folder)
  }
  const { uid, mode } = statSync(folder)
  if (uid !== userInfo().uid || (mode & 0o022) !== 0) {
    throw new AppError('BROWSER_FAILED', `${folder} belongs to another user or can be written by others. Delete it.`)
  }
  const env: Record<string, string> = existsSync('/etc/fonts') ? {} : { FONTCONFIG_PATH: join(folder, 'fonts') }
  return { path: join(folder, 'chromium'), source: 'package', env }
}

/** Null if the package is not installed. */
function resolveEntry({ resolvePackage }: BrowserSearch): string | null {
  try {
    const entry = resolvePackage()
    return existsSync(fileURLToPath(entry)) ? entry : null
  } catch {
    return null
  }
}

/** The nearest package.json above the entry. */
function versionOf(entry: string): string {
  const path = fileURLToPath(entry)
  for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder)) {
    const file = join(folder, 'package.json')
    const version = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as { version?: string }).version : null
    if (typeof version === 'string') return version
  }
  return 'unknown'
}

/** Another process may have been faster. */
function moveInto(fresh: string, folder: string): void {
  try {
    renameSync(fresh, folder)
  } catch (error) {
    rmSync(fresh, { recursive: true, force: true })
    if (!existsSync(folder)) throw error
  }
}

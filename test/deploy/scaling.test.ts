// docs/explanation/scaling.md contains the tables that bench/scaling.ts prints, and the arithmetic is right.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { ROOT_FOLDER } from './testing/deploy-files.ts'

function run(args: string[] = []): { status: number | null; stdout: string; stderr: string } {
  return spawnSync(process.execPath, [join(ROOT_FOLDER, 'bench/scaling.ts'), ...args], { encoding: 'utf8' })
}

function figuresFile(t: TestContext, figures: object): string {
  const folder = mkdtempSync(join(tmpdir(), 'orbweaver-scaling-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'figures.json')
  writeFileSync(file, JSON.stringify({ mine: figures }))
  return file
}

/** The cells of a row for a million and for a billion pages. */
function cellsOf(table: string, label: string): (string | undefined)[] {
  const row = table.split('\n').find((line) => line.startsWith(`| ${label}`))
  const cells = row?.split('|').map((cell) => cell.trim())
  return [cells?.[2], cells?.[5]]
}

const FIGURES = { workerCpuMs: 3, storeCpuMs: 0.6, rows: 10, storeBytes: 2000, knownUrlBytes: 500, archiveBytes: 4000 }

describe('bench/scaling.ts', () => {
  it('prints the tables of docs/explanation/scaling.md (update them with --write)', () => {
    const page = readFileSync(join(ROOT_FOLDER, 'docs/explanation/scaling.md'), 'utf8')
    assert.ok(page.includes(`<!-- figures -->\n\n${run().stdout.trim()}\n\n<!-- end of figures -->`))
  })

  it('multiplies figures by pages', (t) => {
    const args = ['--figures', figuresFile(t, FIGURES), '--days', '10', '--busy', '0.5']
    const { stdout } = run([...args, '--urls', '3', '--vcpu-hour', '2', '--gb-month', '0.5'])
    assert.deepEqual(cellsOf(stdout, 'pages a second'), ['1.2', '1,157'])
    assert.deepEqual(cellsOf(stdout, 'core hours, workers'), ['0.83', '833'])
    assert.deepEqual(cellsOf(stdout, 'core hours, store'), ['0.17', '167'])
    // 1,000 hours in 240, half of the time.
    assert.deepEqual(cellsOf(stdout, 'cores, 50% busy'), ['0.0083', '8.3'])
    assert.deepEqual(cellsOf(stdout, 'rows'), ['10', '10,000'])
    assert.deepEqual(cellsOf(stdout, 'store, GB'), ['3.0', '3,000'])
    assert.deepEqual(cellsOf(stdout, 'archive'), ['4.0', '4,000'])
    assert.deepEqual(cellsOf(stdout, 'price of the CPU'), ['2.0', '2,000'])
    assert.deepEqual(cellsOf(stdout, 'price of the disk'), ['3.5', '3,500'])
  })

  it('leaves out what was not measured, and everything that depends on it', (t) => {
    const file = figuresFile(t, { ...FIGURES, storeCpuMs: null, knownUrlBytes: null })
    const { stdout } = run(['--figures', file, '--vcpu-hour', '1', '--gb-month', '1'])
    for (const label of ['core hours, store', 'cores', 'price of the CPU']) {
      assert.deepEqual(cellsOf(stdout, label), ['not measured', 'not measured'])
    }
    assert.deepEqual(cellsOf(stdout, 'core hours, workers'), ['0.83', '833'])
    assert.deepEqual(cellsOf(stdout, 'store, GB'), ['2.0', '2,000'])
    assert.deepEqual(cellsOf(run(['--figures', file, '--urls', '2']).stdout, 'store, GB')[0], 'not measured')
  })

  it('shows no price unless one is given', () => {
    assert.doesNotMatch(run().stdout, /price/)
  })

  it('rejects an invalid number', () => {
    const { status, stderr } = run(['--days', '0'])
    assert.equal(status, 1)
    assert.match(stderr, /^--days must be a number above 0, not "0"\.$/m)
  })
})

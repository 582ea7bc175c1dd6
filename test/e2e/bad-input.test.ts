// Every invalid input ends with one clear sentence, the right exit code, and no side effects.

import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, it, type TestContext } from 'node:test'
import { serveSites } from '../../src/demo/serve-sites.ts'
import { makeSite } from '../sites/generated/make-site.ts'
import { FAST_FLAGS, makeTemporaryFolder, parseSummary, runProgram } from '../testing/program.ts'
import { type CommandOptions, runInProcess } from '../testing/run-in-process.ts'

const USAGE = 2

/** Commands that open a data directory in order to crawl run only as a process. */
async function assertRefused(
  args: string[],
  message: RegExp,
  options: CommandOptions & { asProcess?: boolean } = {},
): Promise<void> {
  const run = options.asProcess ? runProgram : runInProcess
  const { code, stdout, stderr } = await run(args, options)
  assert.equal(code, USAGE, `${args.join(' ')} gave ${code}: ${stdout}${stderr}`)
  assert.match(stderr, message)
  assert.match(stderr, /^orbweaver: .+\n$/s)
  assert.doesNotMatch(stderr, /\n\s+at /, 'no stack traces')
  assert.equal(stdout, '')
}

describe('bad input', () => {
  const asProcess = ['an unknown command', 'an impossible number', 'no seed', 'resuming where nothing is']
  const cases: [name: string, args: string[], message: RegExp][] = [
    ['an unknown command', ['crowl'], /no command "crowl"/],
    ['an unknown flag', ['crawl', 'http://a.test/', '--depht', '3'], /--depht/],
    ['a flag of another command', ['verify', 'x', '--depth', '3'], /--depth/],
    ['a flag without its value', ['crawl', 'http://a.test/', '--depth'], /--depth/],
    ['an impossible number', ['crawl', 'http://a.test/', '--depth', '-1'], /--depth/],
    ['a number that is none', ['crawl', 'http://a.test/', '--depth', 'three'], /--depth must be a whole number/],
    ['an unknown scope', ['crawl', 'http://a.test/', '--scope', 'galaxy'], /one of host, domain, prefix, any/],
    ['a broken pattern', ['crawl', 'http://a.test/', '--include', '('], /--include must be a regular expression/],
    ['a broken header', ['crawl', 'http://a.test/', '--header', 'no colon'], /--header/],
    ['a header that smuggles', ['crawl', 'http://a.test/', '--header', 'a: b\r\nc: d'], /--header/],
    ['no seed', ['crawl'], /at least one URL/],
    ['an unparsable seed', ['crawl', 'http://'], /not a URL/],
    ['a seed that is a word', ['crawl', 'example'], /"example" cannot be crawled: it is not a URL\./],
    ['an unsupported scheme', ['crawl', 'ftp://example.com/'], /only http and https/],
    ['an exclusion of the seed itself', ['crawl', 'http://a.test/', '--exclude', 'a.test'], /matches the start URL/],
    ['a missing seed file', ['crawl', '--seeds', 'no/such/file'], /no\/such\/file/],
    ['a missing config file', ['crawl', 'http://a.test/', '--config', 'no/such.json'], /no\/such.json/],
    ['resuming where nothing is', ['resume'], /no Orbweaver data/],
    ['listing where nothing is', ['crawls'], /no Orbweaver data/],
    ['an argument too many', ['crawls', 'now'], /does not take "now"/],
    ['comparing one file', ['compare', 'a.jsonl'], /two JSONL exports/],
  ]
  for (const [name, args, message] of cases) {
    it(name, async (t) => {
      const data = join(makeTemporaryFolder(t), 'data')
      await assertRefused(args, message, { env: { ORBWEAVER_DATA: data }, asProcess: asProcess.includes(name) })
      assert.equal(existsSync(data), false, 'the data directory was created')
    })
  }

  it('every bad field is named at once', async () => {
    const { stderr } = await runInProcess(
      ['crawl', 'http://a.test/', '--depth', 'x', '--timeout', '0', '--retries', '-3'],
      {
        env: { ORBWEAVER_MAX_PAGES: 'many', ORBWEAVER_COLOUR: 'red' },
      },
    )
    for (const field of ['--depth', '--timeout', 'ORBWEAVER_MAX_PAGES', 'ORBWEAVER_COLOUR']) {
      assert.ok(stderr.includes(field), `${field} in ${stderr}`)
    }
  })

  it('empty and broken seed files are rejected', async (t) => {
    const folder = makeTemporaryFolder(t)
    const file = join(folder, 'seeds')
    const data = ['--data', join(folder, 'data')]
    writeFileSync(file, '\n# only a comment\n')
    await assertRefused(['crawl', '--seeds', file, ...data], /contains no URLs/)
    writeFileSync(file, '["http://a.test/", 3]')
    await assertRefused(['crawl', '--seeds', file, ...data], /array of strings/)
    writeFileSync(file, '["http://a.test/"')
    await assertRefused(['crawl', '--seeds', file, ...data], /not valid JSON/)
    await assertRefused(['crawl', '--seeds', '-', ...data], /contains no URLs/, { stdin: '\n' })
    await assertRefused(['crawl', '--seeds', '-', ...data], /"nonsense" cannot be crawled/, {
      stdin: 'nonsense\n',
      asProcess: true,
    })
  })

  it('config files with unknown fields, wrong types or broken JSON are rejected', async (t) => {
    const file = join(makeTemporaryFolder(t), 'config.json')
    const args = ['crawl', 'http://a.test/', '--config', file]
    writeFileSync(file, '{"max_pages": "many", "colour": "red"}')
    await assertRefused(args, /colour.*\n?.*max_pages|max_pages.*\n?.*colour/s)
    writeFileSync(file, '{')
    await assertRefused(args, /not valid JSON/)
    writeFileSync(file, '[]')
    await assertRefused(args, /one JSON object/)
  })
})

describe('data directories', () => {
  async function crawled(t: TestContext): Promise<{ data: string; id: string }> {
    const web = await serveSites([makeSite(1, { pages: 5 })])
    t.after(() => web.close())
    const data = join(makeTemporaryFolder(t), 'data')
    const programResult = await runProgram(['crawl', `${web.sites[0]?.origin}/`, '--data', data, ...FAST_FLAGS])
    return { data, id: parseSummary(programResult).crawl_id }
  }

  it('an unknown crawl id is rejected by every command that takes one', async (t) => {
    const { data, id } = await crawled(t)
    for (const command of ['status', 'verify', 'export', 'resume']) {
      const asProcess = command === 'resume'
      await assertRefused([command, 'ffffffff-0000', '--data', data], /no crawl "ffffffff-0000"/, { asProcess })
    }
    await assertRefused(['status', '--data', data], /Give the id of a crawl/)
    await assertRefused(['resume', id, '--data', data], /nothing to resume/, { asProcess: true })
  })

  it('a directory of another program is not touched', async (t) => {
    const folder = makeTemporaryFolder(t)
    writeFileSync(join(folder, 'thesis.txt'), 'precious')
    await assertRefused(['crawl', 'http://a.test/', '--data', folder], /not an Orbweaver data directory.*thesis.txt/, {
      asProcess: true,
    })
    assert.deepEqual(readdirSync(folder), ['thesis.txt'])
  })

  it('a file in place of the directory is rejected', async (t) => {
    const file = join(makeTemporaryFolder(t), 'data')
    writeFileSync(file, 'x')
    await assertRefused(['crawl', 'http://a.test/', '--data', file], /not a directory/, { asProcess: true })
  })

  it('a database of another program is rejected', async (t) => {
    const data = join(makeTemporaryFolder(t), 'data')
    mkdirSync(data)
    new DatabaseSync(join(data, 'store.db')).exec('create table diary (entry text)')
    await assertRefused(['crawls', '--data', data], /another program/)
    await assertRefused(['crawl', 'http://a.test/', '--data', data], /another program/, { asProcess: true })
    assert.deepEqual(readdirSync(data), ['store.db'])
    writeFileSync(join(data, 'store.db'), 'not a database at all, but long enough to be read as one'.repeat(100))
    await assertRefused(['crawls', '--data', data], /not a readable store/)
  })

  it('an empty store file is treated as a missing one', async (t) => {
    const data = join(makeTemporaryFolder(t), 'data')
    mkdirSync(data)
    writeFileSync(join(data, 'store.db'), '')
    await assertRefused(['crawls', '--data', data], /no Orbweaver data/)
  })

  it('a data directory of a newer version is rejected and unchanged', async (t) => {
    const { data, id } = await crawled(t)
    const file = new DatabaseSync(join(data, 'store.db'))
    file.exec('pragma user_version = 999')
    file.close()
    await assertRefused(['status', id, '--data', data], /newer Orbweaver \(schema 999/)
    await assertRefused(['crawl', 'http://a.test/', '--data', data], /newer Orbweaver/, { asProcess: true })
  })
})

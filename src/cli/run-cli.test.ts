import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { describe, it } from 'node:test'
import { envOf, flagOf, SETTING_NAMES } from '../config/schema.ts'
import { SETTING_GROUPS } from '../config/setting.ts'
import { AppError, EXIT } from '../lib/errors.ts'
import { loadCommands } from './commands.ts'
import type { Io } from './io.ts'
import { runCli } from './run-cli.ts'
import { helpText } from './setting-text.ts'

const commands = await loadCommands()

interface Outcome {
  exit: number
  stdout: string
  stderr: string
}

async function run(args: string[], overrides: Partial<Io> = {}, columns?: number): Promise<Outcome> {
  const stdout = Object.assign(new PassThrough(), { columns })
  const stderr = new PassThrough()
  const mustNotBeCalled = () => assert.fail('the data directory must not be touched')
  const io: Io = {
    stdin: new PassThrough(),
    stdout: stdout as unknown as Io['stdout'],
    stderr,
    env: {},
    program: './orbweaver',
    openReadSession: mustNotBeCalled,
    openFetcher: mustNotBeCalled,
    openRenderer: mustNotBeCalled,
    loadFilterLists: mustNotBeCalled,
    describeBrowser: mustNotBeCalled,
    checkBrowser: mustNotBeCalled,
    checkFilterLists: mustNotBeCalled,
    openCrawlSession: mustNotBeCalled,
    openControlSession: mustNotBeCalled,
    openSearchIndex: mustNotBeCalled,
    openIndexSession: mustNotBeCalled,
    serve: mustNotBeCalled,
    runFleet: mustNotBeCalled,
    serveMcp: mustNotBeCalled,
    drainBuckets: mustNotBeCalled,
    moveStore: mustNotBeCalled,
    openBrowser: mustNotBeCalled,
    onInterrupt: mustNotBeCalled,
    ...overrides,
  }
  const exit = await runCli(args, '1.2.3', io)
  return { exit, stdout: await text(stdout.end()), stderr: await text(stderr.end()) }
}

/** Undoes the line wrapping. */
function unwrap(text: string): string {
  return text.replace(/\s+/g, ' ')
}

describe('--server', () => {
  it('is taken by every command, or the command says why not', async () => {
    for (const [name, { settings, localReason }] of Object.entries(commands)) {
      assert.equal(settings.includes('server'), localReason === undefined, name)
      assert.equal(settings.includes('server'), settings.includes('token'), name)
      if (localReason === undefined) continue
      const refused = await run([name, '--server', 'http://127.0.0.1:1'])
      assert.deepEqual([refused.exit, refused.stderr.includes(localReason)], [EXIT.usage, true], refused.stderr)
    }
  })

  it('is refused by actions that need the files of a store', async () => {
    for (const action of ['rebuild', 'verify']) {
      const { exit, stderr } = await run(['index', action, '--server', 'http://127.0.0.1:1'])
      assert.equal(exit, EXIT.usage)
      assert.match(stderr, /needs the files of the index/)
    }
  })
})

describe('the version', () => {
  it('is printed alone', async () => {
    for (const flag of ['--version', '-v']) {
      assert.deepEqual(await run([flag]), { exit: EXIT.completed, stdout: '1.2.3\n', stderr: '' })
    }
  })
})

describe('help', () => {
  it('of the program lists every command with the first sentence of its help, and is the default', async () => {
    for (const args of [['--help'], ['-h'], ['help'], []]) {
      const { exit, stdout, stderr } = await run(args)
      assert.deepEqual([exit, stderr], [EXIT.completed, ''])
      for (const [name, { help }] of Object.entries(commands)) {
        const [first = ''] = help.split(/(?<=\.) /)
        assert.match(first, /\.$/)
        assert.ok(unwrap(stdout).includes(` ${name} ${first}`), name)
      }
    }
  })

  for (const [name, command] of Object.entries(commands)) {
    it(`of ${name} lists exactly its flags`, async () => {
      const { exit, stdout, stderr } = await run([name, '--help'])
      assert.deepEqual([exit, stderr], [EXIT.completed, ''])
      assert.ok(stdout.includes(`Usage: ./orbweaver ${name} ${command.usage}`))
      const flags = [...stdout.matchAll(/^ {2}--([a-z-]+)/gm)].map((match) => match[1])
      assert.deepEqual(flags, command.settings.map(flagOf))
      for (const setting of command.settings) assert.ok(unwrap(stdout).includes(helpText(setting)), setting)
      for (const args of [
        ['help', name],
        [name, '-h'],
        ['--help', name],
        [name, 'x', '--bad', '--help'],
      ]) {
        assert.equal((await run(args)).stdout, stdout, args.join(' '))
      }
    })
  }

  it('is aligned and at most 80 columns wide', async () => {
    for (const name of ['', ...Object.keys(commands)]) {
      const { stdout } = await run([name, '--help'].filter(Boolean))
      const lines = stdout.split('\n').filter((line) => line.startsWith('  '))
      const column = name === '' ? 14 : 28
      const isAligned = new RegExp(`^ {${column}}\\S|^ {2}\\S(?: ?\\S)*$|^ {2}\\S.{${column - 5}} {2}\\S`)
      for (const line of lines) {
        assert.ok(line.length <= 80, line)
        assert.match(line, isAligned, line)
      }
    }
  })

  it('of crawl has each heading of the web form once, in order', async () => {
    const { stdout } = await run(['crawl', '--help'])
    const headings = [...stdout.matchAll(/^([A-Z][a-z]+):$/gm)].map((match) => match[1])
    assert.deepEqual(headings, [...SETTING_GROUPS, 'Other'])
    assert.doesNotMatch((await run(['robots', '--help'])).stdout, /^[A-Z][a-z]+:$/m)
  })

  it('fits a narrow terminal', async () => {
    const { stdout } = await run(['crawls', '--help'], {}, 40)
    for (const line of stdout.split('\n')) assert.ok(line.length <= 40, line)
  })

  it('shows the defaults', async () => {
    const { stdout } = await run(['crawl', '--help'])
    for (const part of ['(default: 64)', '(default: auto)', '(default: ./orbweaver-data)', '(default: one less than']) {
      assert.ok(unwrap(stdout).includes(part), part)
    }
    assert.ok(stdout.includes(envOf('data')))
  })

  it('shows every setting under some command', () => {
    const shown = new Set(Object.values(commands).flatMap((command) => command.settings))
    assert.deepEqual(shown, new Set(SETTING_NAMES))
  })
})

describe('an invalid command line', () => {
  const invalid: Record<string, [string[], RegExp]> = {
    'an unknown command': [['fly'], /^orbweaver: There is no command "fly"\. See: \.\/orbweaver --help\n$/],
    'a misspelt command': [['crwal'], /no command "crwal"\. Did you mean crawl\?/],
    'a command with the name of an Object method': [['toString'], /no command "toString"/],
    'a flag before the command': [['--depth', '1', 'crawl'], /no command "--depth"/],
    'an unknown flag': [
      ['crawl', '--colour', 'https://a.example/'],
      /There is no flag --colour\. See: \.\/orbweaver crawl --help\n$/,
    ],
    'a misspelt flag': [['crawl', '--depht=3'], /There is no flag --depht\. Did you mean --depth\?/],
    'an excluded word that looks like a flag': [
      ['search', 'apple', '-site:x leek'],
      /There is no flag -s\. Put words that start with - after --, following all options:\n {2}\.\/orbweaver search -- apple -pie\n$/,
    ],
    'a flag of search': [['search', '--lmit', '5', '--', '-pie'], /mean --limit\? See: \.\/orbweaver search --help\n$/],
    'a short flag of a command without search words': [
      ['crawl', '-d', '3'],
      /There is no flag -d\. See: \.\/orbweaver crawl --help\n$/,
    ],
    'a flag of another command': [['status', '--depth', '1'], /This command has no flag --depth\./],
    'an invalid item of a list': [
      ['crawl', 'https://a.example/', '--include', '('],
      /in JavaScript syntax; it is "\("\n$/,
    ],
    'an invalid value': [
      ['crawl', '--retries', '-3', 'https://a.example/'],
      /^orbweaver: --retries must be a whole number/,
    ],
    'a missing URL': [['crawl'], /Give at least one URL/],
    'an invalid URL': [['crawl', 'ftp://example.com'], /only http and https can be crawled/],
    'a pattern that excludes the start URL': [['crawl', '--exclude', 'a', 'https://a.example/'], /--exclude matches/],
    'an upload without a bucket': [
      ['archive', 'upload', '--data', 'x'],
      /Name the bucket: \S+ archive upload --archive-store s3:\/\/bucket\/prefix --data x$/m,
    ],
    'a single file to compare': [['compare', 'a.jsonl'], /Give two/],
  }
  for (const [name, [args, message]] of Object.entries(invalid)) {
    it(`${name} is reported on stderr with exit code 2`, async () => {
      const { exit, stdout, stderr } = await run(args)
      assert.deepEqual([exit, stdout], [EXIT.usage, ''])
      assert.match(stderr, message)
    })
  }
})

it('a WARC export is not written to a terminal', async () => {
  const stdout = Object.assign(new PassThrough(), { isTTY: true }) as unknown as Io['stdout']
  const { exit, stderr } = await run(['export', 'abc', '--format', 'warc'], { stdout })
  assert.equal(exit, EXIT.usage)
  assert.match(stderr, /--out crawl\.warc\.gz/)
})

describe('an error of a command', () => {
  it('with a code is reported with its message and exit code', async () => {
    const openReadSession = () => {
      throw new AppError('DATA_IN_USE', 'Process 7 is at work.')
    }
    assert.deepEqual(await run(['crawls'], { openReadSession }), {
      exit: EXIT.failed,
      stdout: '',
      stderr: 'orbweaver: Process 7 is at work.\n',
    })
  })

  it('that is a bug is reported with its stack', async () => {
    const openReadSession = () => {
      throw new RangeError('broken')
    }
    const { exit, stderr } = await run(['crawls'], { openReadSession })
    assert.equal(exit, EXIT.failed)
    assert.match(stderr, /^orbweaver: broken\nRangeError: broken\n +at /)
  })
})

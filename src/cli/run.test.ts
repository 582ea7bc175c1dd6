import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { describe, it } from 'node:test'
import { envOf, flagOf, SETTING_NAMES } from '../config/schema.ts'
import { AppError, EXIT } from '../lib/errors.ts'
import { helpText } from './help.ts'
import type { Io } from './io.ts'
import { COMMANDS, runCli } from './run.ts'

interface Outcome {
  exit: number
  stdout: string
  stderr: string
}

async function run(args: string[], parts: Partial<Io> = {}): Promise<Outcome> {
  const stdout = new PassThrough()
  const stderr = new PassThrough()
  const untouched = () => assert.fail('the data directory is left alone')
  const io: Io = {
    stdin: new PassThrough(),
    stdout: stdout as unknown as Io['stdout'],
    stderr,
    env: {},
    openReader: untouched,
    openFetcher: untouched,
    checkFilterLists: untouched,
    openWorkshop: untouched,
    openControl: untouched,
    openSearch: untouched,
    openIndexWork: untouched,
    serve: untouched,
    runFleet: untouched,
    move: untouched,
    onInterrupt: untouched,
    ...parts,
  }
  const exit = await runCli(args, '1.2.3', io)
  return { exit, stdout: await text(stdout.end()), stderr: await text(stderr.end()) }
}

describe('the version', () => {
  it('is printed alone', async () => {
    for (const flag of ['--version', '-v']) {
      assert.deepEqual(await run([flag]), { exit: EXIT.completed, stdout: '1.2.3\n', stderr: '' })
    }
  })
})

describe('help', () => {
  it('of the program names every command, and is what no command gives', async () => {
    for (const args of [['--help'], ['-h'], ['help'], []]) {
      const { exit, stdout, stderr } = await run(args)
      assert.deepEqual([exit, stderr], [EXIT.completed, ''])
      for (const [name, { help }] of Object.entries(COMMANDS)) {
        const line = stdout.split('\n').find((candidate) => candidate.startsWith(`  ${name} `))
        assert.ok(line?.endsWith(help), name)
      }
    }
  })

  for (const [name, command] of Object.entries(COMMANDS)) {
    it(`of ${name} names each of its flags, and no others`, async () => {
      const { exit, stdout, stderr } = await run([name, '--help'])
      assert.deepEqual([exit, stderr], [EXIT.completed, ''])
      assert.ok(stdout.includes(`Usage: orbweaver ${name} ${command.usage}`))
      const flags = [...stdout.matchAll(/^ {2}--([a-z-]+)/gm)].map((match) => match[1])
      assert.deepEqual(flags, command.settings.map(flagOf))
      for (const setting of command.settings) assert.ok(stdout.includes(helpText(setting)), setting)
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

  it('keeps its lines aligned', async () => {
    const { stdout } = await run(['crawl', '--help'])
    const option = stdout.split('\n').filter((line) => /^ {2}--[a-z-]+ .* {2}/.test(line))
    assert.ok(option.length > 10)
    for (const line of option) assert.match(line.slice(30), /^ {2}\S/, line)
  })

  it('tells the defaults', async () => {
    const { stdout } = await run(['crawl', '--help'])
    for (const part of ['(default: 64)', '(default: auto)', '(default: ./orbweaver-data)', '(default: one less than']) {
      assert.ok(stdout.includes(part), part)
    }
    assert.ok(stdout.includes(envOf('data')))
  })

  it('shows every setting under some command', () => {
    const shown = new Set(Object.values(COMMANDS).flatMap((command) => command.settings))
    assert.deepEqual(shown, new Set(SETTING_NAMES))
  })
})

describe('a command line that is wrong', () => {
  const wrong: Record<string, [string[], RegExp]> = {
    'an unknown command': [['fly'], /^orbweaver: There is no command "fly"\. See: orbweaver --help\n$/],
    'a command with a slip': [['crwal'], /no command "crwal"\. Did you mean crawl\?/],
    'a command named like a method of every object': [['toString'], /no command "toString"/],
    'a flag before the command': [['--depth', '1', 'crawl'], /no command "--depth"/],
    'an unknown flag': [['crawl', '--colour', 'https://a.example/'], /There is no flag --colour\. See/],
    'a flag with a slip': [['crawl', '--depht=3'], /There is no flag --depht\. Did you mean --depth\?/],
    'a flag of another command': [['status', '--depth', '1'], /This command has no flag --depth\./],
    'an item of a list': [['crawl', 'https://a.example/', '--include', '('], /that compiles; it is "\("\n$/],
    'a bad value': [['crawl', '--retries', '-3', 'https://a.example/'], /^orbweaver: --retries must be a whole number/],
    'no url': [['crawl'], /Name at least one url/],
    'a url that is none': [['crawl', 'example.com'], /Did you mean https:\/\/example\.com\?/],
    'a pattern that leaves out the start': [['crawl', '--exclude', 'a', 'https://a.example/'], /--exclude leaves out/],
    'one file to compare': [['compare', 'a.jsonl'], /Name the two/],
  }
  for (const [name, [args, message]] of Object.entries(wrong)) {
    it(`${name} is told on stderr, with exit code 2`, async () => {
      const { exit, stdout, stderr } = await run(args)
      assert.deepEqual([exit, stdout], [EXIT.usage, ''])
      assert.match(stderr, message)
    })
  }
})

describe('an error of a command', () => {
  it('that has a code is told by its message, with its exit code', async () => {
    const openReader = () => {
      throw new AppError('DATA_IN_USE', 'Process 7 is at work.')
    }
    assert.deepEqual(await run(['crawls'], { openReader }), {
      exit: EXIT.failed,
      stdout: '',
      stderr: 'orbweaver: Process 7 is at work.\n',
    })
  })

  it('that is a defect is told with its stack', async () => {
    const openReader = () => {
      throw new RangeError('broken')
    }
    const { exit, stderr } = await run(['crawls'], { openReader })
    assert.equal(exit, EXIT.failed)
    assert.match(stderr, /^orbweaver: broken\nRangeError: broken\n +at /)
  })
})

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { AppError, type ErrorCode } from '../lib/errors.ts'
import { loadConfig } from './load-config.ts'
import { type Config, SCHEMA, SETTING_NAMES } from './schema.ts'

const dir = mkdtempSync(join(tmpdir(), 'orbweaver-config-'))
after(() => rmSync(dir, { recursive: true }))

function fileWith(content: unknown): string {
  const file = join(dir, 'settings.json')
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
  return file
}

function load(args: string[], env: NodeJS.ProcessEnv = {}): Config {
  return loadConfig(args, env, SETTING_NAMES).config
}

/** The lines of the error that loading ends with. */
function problems(code: ErrorCode, args: string[], env: NodeJS.ProcessEnv = {}): string[] {
  try {
    load(args, env)
  } catch (error) {
    assert.ok(error instanceof AppError)
    assert.equal(error.code, code)
    return error.message.split('\n')
  }
  return assert.fail(`loaded ${args.join(' ')}`)
}

describe('a setting', () => {
  it('has its default if it is not given', () => {
    const config = load([])
    for (const name of SETTING_NAMES) assert.deepEqual(config[name], SCHEMA[name].default, name)
  })

  it('comes from the flag, else the environment, else the file', () => {
    const file = fileWith({ retries: 1, depth: 11, concurrency: 21 })
    const env = { ORBWEAVER_RETRIES: '2', ORBWEAVER_DEPTH: '12', ORBWEAVER_CONFIG: file, PATH: '/bin' }
    const config = load(['--retries', '3'], env)
    assert.deepEqual([config.retries, config.depth, config.concurrency, config.perHost], [3, 12, 21, 1])
  })

  it('comes from the file named by the flag, not by the environment', () => {
    const file = fileWith({ retries: 7 })
    assert.equal(load(['--config', file], { ORBWEAVER_CONFIG: join(dir, 'missing.json') }).retries, 7)
  })

  it('in the environment or a file need not be a flag of the command', () => {
    const { config } = loadConfig([], { ORBWEAVER_RETRIES: '5' }, ['data'])
    assert.equal(config.retries, 5)
    assert.throws(() => loadConfig(['--retries', '5'], {}, ['data']), { code: 'USAGE' })
  })

  it('in a file may be a number, a boolean or text', () => {
    const file = fileWith({ retries: '1', depth: 2, json: true, quiet: 'true', max_body: '10m', header: ['A: b'] })
    const { retries, depth, json, quiet, maxBody, header } = load(['--config', file])
    assert.deepEqual([retries, depth, json, quiet, maxBody, header], [1, 2, true, true, 10 * 1024 ** 2, ['A: b']])
  })

  it('cannot be changed once loaded', () => {
    const config = load(['--retries', '1'])
    assert.ok(Object.isFrozen(config))
    assert.throws(() => Object.assign(config, { retries: 2 }), TypeError)
  })
})

describe('a flag', () => {
  it('takes its value with or without an equals sign, between arguments', () => {
    const { config, positionals } = loadConfig(['a', '--depth=1', 'b', '--scope', 'any', 'c'], {}, SETTING_NAMES)
    assert.deepEqual([config.depth, config.scope, positionals], [1, 'any', ['a', 'b', 'c']])
  })

  it('can be repeated if it is a list', () => {
    const config = load(['--exclude', '/a', '--exclude=/b', '--header', 'A: 1', '--header', 'A: 2'])
    assert.deepEqual(
      [config.exclude, config.header],
      [
        ['/a', '/b'],
        ['A: 1', 'A: 2'],
      ],
    )
  })

  it('of a list replaces the list of the environment', () => {
    const env = { ORBWEAVER_INCLUDE: '/c\n/d' }
    assert.deepEqual(load([], env).include, ['/c', '/d'])
    assert.deepEqual(load(['--include', '/a'], env).include, ['/a'])
  })

  it('turns a switch on, or off if it is on by default', () => {
    assert.equal(load(['--json']).json, true)
    assert.equal(load(['--no-follow-redirects']).followRedirects, false)
    assert.equal(load(['--no-follow-redirects'], { ORBWEAVER_FOLLOW_REDIRECTS: 'true' }).followRedirects, false)
    assert.equal(load([], { ORBWEAVER_FOLLOW_REDIRECTS: '0' }).followRedirects, false)
    assert.equal(load([]).followRedirects, true)
  })

  it('accepts sizes with units, and words in place of numbers', () => {
    assert.equal(load(['--max-body', '10m']).maxBody, 10 * 1024 ** 2)
    assert.deepEqual([load(['--delay', 'auto']).delay, load(['--delay', '0']).delay], ['auto', 0])
  })

  it('with a negative number is an invalid value, not an unknown flag', () => {
    for (const args of [['--retries', '-3'], ['--retries=-3']]) {
      assert.deepEqual(problems('BAD_CONFIG', args), ['--retries must be a whole number from 0 to 100; it is "-3"'])
    }
  })

  it('that is unknown or has no value is a usage error', () => {
    assert.match(problems('USAGE', ['--no-such'])[0] ?? '', /no flag --no-such\.$/)
    assert.match(problems('USAGE', ['--depth'])[0] ?? '', /--depth/)
    assert.match(problems('USAGE', ['--json=yes'])[0] ?? '', /--json/)
    assert.match(problems('USAGE', ['-x'])[0] ?? '', /-x/)
    assert.match(problems('USAGE', ['--follow-redirects'])[0] ?? '', /Did you mean --no-follow-redirects/)
  })
})

describe('problems', () => {
  it('are all reported at once, under the given name', () => {
    const file = fileWith({ timeout: 0, max_body: 'big', no_such: 1, include: { a: 1 } })
    const env = { ORBWEAVER_DEPTH: 'deep', ORBWEAVER_NO_SUCH: '1', ORBWEAVER_JSON: 'yes', ORBWEAVER_USER_AGENT: 'a\nb' }
    const lines = problems('BAD_CONFIG', ['--config', file, '--retries', 'x', '--scope', 'all', '--exclude', '('], env)
    const named = lines.map((line) => line.split(' must be ')[0])
    assert.deepEqual(
      new Set(named),
      new Set([
        '--retries',
        '--scope',
        '--exclude',
        'ORBWEAVER_DEPTH',
        'ORBWEAVER_JSON',
        'ORBWEAVER_USER_AGENT',
        'ORBWEAVER_NO_SUCH in the environment is not a setting',
        `timeout in ${file}`,
        `max_body in ${file}`,
        `include in ${file}`,
        `no_such in ${file} is not a setting`,
      ]),
    )
  })

  it('name the setting that was probably meant', () => {
    const file = fileWith({ max_page: 3 })
    assert.deepEqual(problems('BAD_CONFIG', ['--config', file], { ORBWEAVER_DEPHT: '1' }), [
      'ORBWEAVER_DEPHT in the environment is not a setting; did you mean ORBWEAVER_DEPTH?',
      `max_page in ${file} is not a setting; did you mean max_pages?`,
    ])
  })

  it('say what was expected and what was given', () => {
    assert.deepEqual(problems('BAD_CONFIG', ['--delay', 'slow']), [
      '--delay must be a whole number from 0 to 86400000, or "auto"; it is "slow"',
    ])
  })

  it('include misspelled keys of a file', () => {
    const file = fileWith({ maxPages: 1, 'max-pages': 1, ORBWEAVER_MAX_PAGES: 1 })
    assert.equal(problems('BAD_CONFIG', ['--config', file]).length, 3)
    assert.equal(problems('BAD_CONFIG', ['--config', fileWith('{"__proto__": 1, "constructor": 1}')]).length, 2)
  })

  it('are not hidden by a source of higher precedence unless it has the setting', () => {
    assert.equal(load(['--retries', '1'], { ORBWEAVER_RETRIES: 'x' }).retries, 1)
    problems('BAD_CONFIG', ['--depth', '1'], { ORBWEAVER_RETRIES: 'x' })
  })
})

describe('a config file', () => {
  it('that cannot be read is named', () => {
    const missing = join(dir, 'missing.json')
    assert.deepEqual(problems('FILE_UNREADABLE', ['--config', missing]), [`The config file ${missing} cannot be read.`])
    problems('FILE_UNREADABLE', ['--config', dir])
  })

  it('that is not one JSON object is rejected', () => {
    for (const content of ['', '{', '{"depth": 1,}', '[]', '1', 'null', '"x"']) {
      assert.match(problems('BAD_CONFIG', ['--config', fileWith(content)])[0] ?? '', /JSON/, content)
    }
  })
})

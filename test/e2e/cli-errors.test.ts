// Errors and lists of commands on a store: their texts, and the commands that they name.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { makeTemporaryFolder } from '../testing/program.ts'
import { outputInProcess, runInProcess } from '../testing/run-in-process.ts'

describe('an unknown name', () => {
  it('comes with the command that lists the known ones', async (t) => {
    const data = makeTemporaryFolder(t)
    await outputInProcess(['policies', 'set', 'a.example', 'delay=1', '--data', data])
    for (const [args, list] of [
      [['status', 'nobody'], 'crawls'],
      [['pause', 'nobody'], 'crawls'],
      [['monitors', 'remove', 'nobody'], 'monitors list'],
      [['policies', 'remove', 'nobody.example'], 'policies list'],
      [['token', 'revoke', 'nobody'], 'token list'],
      [['drain', 'nobody'], 'workers'],
    ] as const) {
      const { code, stderr } = await runInProcess([...args, '--data', data])
      assert.equal(code, 2, stderr)
      assert.ok(stderr.endsWith(` List them with: ./orbweaver ${list} --data ${data}\n`), stderr)
    }
  })
})

it('drain without a worker asks for one', async (t) => {
  const data = makeTemporaryFolder(t)
  const { code, stderr } = await runInProcess(['drain', '--data', data])
  assert.equal(code, 2)
  assert.equal(stderr, `orbweaver: Give the id of a worker. List workers with: ./orbweaver workers --data ${data}\n`)
})

it('an invalid setting with a secret is not shown', async () => {
  const { code, stderr } = await runInProcess(['crawl', 'https://a.example/', '--auth', 'swordfish'])
  assert.equal(code, 2)
  assert.match(stderr, /--auth must be credentials such as [^;]*$/)
})

describe('a monitor', () => {
  it('is named by its name, or the start of its name or id', async (t) => {
    const data = makeTemporaryFolder(t)
    const runMonitors = (...args: string[]) => runInProcess(['monitors', ...args, '--data', data])
    const [id = ''] = (await runMonitors('add', 'apples', 'words', 'apple')).stdout.split('\n')
    await runMonitors('add', 'apricots', 'words', 'apricot')
    for (const name of ['apples', 'app', id, id.slice(0, 6)]) {
      assert.equal((await runMonitors('mute', name)).stdout, 'Muted.\n', name)
    }
    const { code, stderr } = await runMonitors('remove', 'ap')
    assert.equal(code, 2)
    assert.match(stderr, /More than one monitor matches "ap": .*\(apples\), .*\(apricots\)\. Use an id\./)
  })
})

it('an unknown scope of a token is named', async (t) => {
  const { code, stderr } = await runInProcess(['token', 'create', 'me', 'boss', '--data', makeTemporaryFolder(t)])
  assert.equal(code, 2)
  assert.equal(stderr, 'orbweaver: "boss" is not a scope. Use one of: read, crawl, admin.\n')
})

it('a bad schedule names the field', async () => {
  const { stderr } = await runInProcess(['crawl', 'https://a.example/', '--schedule', '0 25 * * *'])
  assert.match(stderr, /--schedule must be a cron expression of five fields.*; the hour cannot be "25"; it is "0 25/)
})

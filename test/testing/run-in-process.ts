// Runs a command in this process, since a separate process takes half a second of CPU to start. Meant for the setup
// and the checks around what a test is about. Commands under test, and commands that crawl or serve, run as processes
// (`runProgram`).

import assert from 'node:assert/strict'
import { PassThrough, Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { Io } from '../../src/cli/io.ts'
import { runCli } from '../../src/cli/run-cli.ts'
import { openers } from '../../src/setup/openers.ts'
import { describeBrowser } from '../../src/setup/renderer.ts'
import { type ExportRow, environmentWithoutSettings, type ProgramResult } from './program.ts'

export type CommandResult = Pick<ProgramResult, 'code' | 'stdout' | 'stderr'>

export interface CommandOptions {
  stdin?: string
  env?: NodeJS.ProcessEnv
}

export async function runInProcess(
  args: string[],
  { stdin = '', env = {} }: CommandOptions = {},
): Promise<CommandResult> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()]
  const written = Promise.all([text(stdout), text(stderr)])
  const io: Io = {
    ...openers,
    stdin: Readable.from([stdin]),
    stdout: stdout as unknown as Io['stdout'],
    stderr,
    env: { ...environmentWithoutSettings(), ...env },
    program: './orbweaver',
    describeBrowser,
    checkBrowser: needsProcess,
    checkFilterLists: async (files) => assert.deepEqual(files, []),
    openCrawlSession: needsProcess,
    serve: needsProcess,
    runFleet: needsProcess,
    serveMcp: needsProcess,
    drainBuckets: needsProcess,
    moveStore: needsProcess,
    openBrowser: async () => false,
    onInterrupt: () => () => undefined,
  }
  const code = await runCli(args, '0.0.0', io)
  stdout.end()
  stderr.end()
  const [out, err] = await written
  return { code, stdout: out, stderr: err }
}

function needsProcess(): never {
  assert.fail('this command runs only as a process')
}

/** The output of a command that succeeds. */
export async function outputInProcess(args: string[]): Promise<string> {
  const { code, stdout, stderr } = await runInProcess(args)
  assert.equal(code, 0, `${args[0]}: ${stderr}${stdout}`)
  return stdout
}

/** The URLs of a crawl as `orbweaver export` writes them. */
export async function exportRows(data: string, crawlId: string): Promise<ExportRow[]> {
  const stdout = await outputInProcess(['export', crawlId, '--data', data])
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as ExportRow)
}

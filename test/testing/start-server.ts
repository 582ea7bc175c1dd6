// Starts the real server as a child process for a test.

import { type CleanupContext, makeTemporaryFolder, type Program, readServerAddress, startProgram } from './program.ts'

export interface TestServer {
  program: Program
  address: string
  data: string
  /** Ends it by SIGTERM and returns its exit code. */
  stop(): Promise<number | null>
}

export interface ServerOptions {
  command?: 'serve' | 'start'
  /** A new temporary folder if not given. */
  data?: string
  flags?: string[]
  env?: NodeJS.ProcessEnv
}

/** Ports are free ones. The server is stopped after the test. */
export async function startServer(
  t: CleanupContext,
  { command = 'serve', data = makeTemporaryFolder(t), flags = [], env = {} }: ServerOptions = {},
): Promise<TestServer> {
  const common = ['--data', data, '--port', '0', '--health-port', '0', '--min-free-disk', '0']
  const program = startProgram([command, ...common, ...flags], { env })
  const end = async (signal: NodeJS.Signals) => {
    program.child.kill(signal)
    return (await program.ended).code
  }
  t.after(() => end('SIGKILL'))
  return { program, address: await readServerAddress(program), data, stop: () => end('SIGTERM') }
}

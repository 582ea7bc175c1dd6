// A worker of the fleet: a data folder, a proxy to Postgres and the current worker process. It restarts the process, as
// a supervisor would, if that could not reach Postgres at startup.

import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Program, startProgram } from '../testing/program.ts'
import { openTcpProxy, type TcpProxy } from '../testing/tcp-proxy.ts'

export interface ChaosWorkerOptions {
  name: string
  /** The data folder is created in it. */
  folder: string
  storeUrl: string
  leaseMs: number
  flags: string[]
}

/** Printed at startup if Postgres cannot be reached, is starting or has no free connection. */
const POSTGRES_UNREACHABLE = /^orbweaver: Postgres at \S+ cannot be reached/m
const RESTART_MS = 500

export class ChaosWorker {
  readonly name: string
  readonly dataFolder: string
  readonly proxy: TcpProxy
  readonly #settings: ChaosWorkerOptions
  #program: Program | null = null
  #id: Promise<string> = Promise.reject(new Error('The worker was not started.'))
  /** Processes that ended neither by a fault nor by a signal from here. */
  readonly unexpectedExits: string[] = []
  /** Output of all its processes, in chunks. */
  readonly log: string[] = []
  #isExitExpected = false

  private constructor(settings: ChaosWorkerOptions, proxy: TcpProxy) {
    this.#settings = settings
    this.name = settings.name
    this.dataFolder = join(settings.folder, settings.name)
    this.proxy = proxy
    this.#id.catch(() => undefined)
  }

  static async open(settings: ChaosWorkerOptions): Promise<ChaosWorker> {
    const { hostname, port } = new URL(settings.storeUrl)
    return new ChaosWorker(settings, await openTcpProxy({ host: hostname, port: Number(port) }))
  }

  /** The id under which the current process registers. */
  get workerId(): Promise<string> {
    return this.#id
  }

  start(): void {
    this.#isExitExpected = false
    this.#id = this.#join()
    this.#id.catch(() => undefined)
  }

  async #join(): Promise<string> {
    for (;;) {
      const program = this.#spawn()
      const id = await joined(program)
      if (id !== null) return id
      const { stderr } = await program.ended
      if (this.#isExitExpected || !POSTGRES_UNREACHABLE.test(stderr))
        throw new Error(`${this.name} exited before it joined: ${stderr}`)
      await sleep(RESTART_MS)
    }
  }

  #spawn(): Program {
    const { storeUrl, leaseMs, flags } = this.#settings
    const url = new URL(storeUrl)
    url.port = String(this.proxy.port)
    const args = [
      'worker',
      '--store',
      url.href,
      '--data',
      this.dataFolder,
      '--health-port',
      '0',
      '--lease',
      String(leaseMs),
    ]
    const program = startProgram([...args, ...flags])
    this.#program = program
    program.child.stderr?.on('data', (chunk) => this.log.push(String(chunk)))
    // Otherwise the child would survive a crash of this process.
    const killChild = () => program.child.kill('SIGKILL')
    process.once('exit', killChild)
    void program.ended.then(({ code, signal, stderr }) => {
      process.off('exit', killChild)
      if (this.#program !== program || this.#isExitExpected || POSTGRES_UNREACHABLE.test(stderr)) return
      this.unexpectedExits.push(`${this.name} exited by itself with ${signal ?? code}: ${lastLines(stderr)}`)
    })
    return program
  }

  /** SIGKILL. */
  async kill(): Promise<void> {
    this.#isExitExpected = true
    this.#program?.child.kill('SIGKILL')
    await this.#program?.ended
  }

  freeze(): void {
    this.#program?.child.kill('SIGSTOP')
  }

  unfreeze(): void {
    this.#program?.child.kill('SIGCONT')
  }

  /** SIGTERM; returns the exit code. */
  async terminate(): Promise<number | null> {
    this.#isExitExpected = true
    this.#program?.child.kill('SIGTERM')
    return (await this.#program?.ended)?.code ?? null
  }

  async close(): Promise<void> {
    await this.kill()
    await this.proxy.close()
  }
}

function lastLines(text: string): string {
  return text.trim().split('\n').slice(-3).join('\n  ')
}

/** Resolves with null if the process ends before it joins. */
function joined({ child, ended }: Program): Promise<string | null> {
  return new Promise((resolve) => {
    let output = ''
    child.stderr?.on('data', (chunk) => {
      output += chunk
      const id = / worker joined worker=(\w+)/.exec(output)?.[1]
      if (id !== undefined) resolve(id)
    })
    void ended.then(() => resolve(null))
  })
}

// One place in the fleet: a data folder, a proxy to Postgres, and the worker process that is there just now. Like a
// supervisor it starts the process anew when that found no Postgres to begin with.

import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Program, startProgram } from '../testing/program.ts'
import { openTcpProxy, type TcpProxy } from '../testing/tcp-proxy.ts'

export interface ChaosWorkerOptions {
  name: string
  /** The data folder is made in it. */
  folder: string
  storeUrl: string
  leaseMs: number
  flags: string[]
}

/** Said at the start of a process that finds no Postgres, or one that is busy starting or full. */
const POSTGRES_UNREACHABLE = /^orbweaver: Postgres at \S+ cannot be reached/m
const RESTART_MS = 500

export class ChaosWorker {
  readonly name: string
  readonly dataFolder: string
  readonly proxy: TcpProxy
  readonly #settings: ChaosWorkerOptions
  #program: Program | null = null
  #id: Promise<string> = Promise.reject(new Error('no worker was started'))
  /** Processes that ended otherwise than by a fault or by being told to. */
  readonly unexpectedExits: string[] = []
  /** What all its processes wrote, in pieces. */
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

  /** The id under which the worker that is there now registers. */
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
        throw new Error(`${this.name} ended before it joined: ${stderr}`)
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
    // Nobody else would end it if this process fails.
    const endAlso = () => program.child.kill('SIGKILL')
    process.once('exit', endAlso)
    void program.ended.then(({ code, signal, stderr }) => {
      process.off('exit', endAlso)
      if (this.#program !== program || this.#isExitExpected || POSTGRES_UNREACHABLE.test(stderr)) return
      this.unexpectedExits.push(`${this.name} ended by itself with ${signal ?? code}: ${lastLines(stderr)}`)
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

  /** SIGTERM; answers the exit code. */
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

/** Null when it ended before. */
function joined({ child, ended }: Program): Promise<string | null> {
  return new Promise((resolve) => {
    let said = ''
    child.stderr?.on('data', (chunk) => {
      said += chunk
      const id = / worker joined worker=(\w+)/.exec(said)?.[1]
      if (id !== undefined) resolve(id)
    })
    void ended.then(() => resolve(null))
  })
}

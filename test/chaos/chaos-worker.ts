// A worker of the fleet: a data folder, a proxy to Postgres and the current worker process. It restarts the process, as
// a supervisor would, if that could not reach Postgres at startup.

import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
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
const SLICE_MS = 250

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
    // Without this, the child would survive a crash of this process.
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

  /** Lets it run for this share of the time, in slices, as on a machine that is short of CPU time. */
  async slowDown(share: number, forMs: number): Promise<void> {
    for (const end = performance.now() + forMs; performance.now() < end; ) {
      this.freeze()
      await sleep(SLICE_MS * (1 - share))
      this.unfreeze()
      await sleep(SLICE_MS * share)
    }
  }

  /** Denies it any more memory, and waits until it has ended of it. A process that goes on without is killed. */
  async exhaustMemory(forMs: number): Promise<void> {
    const pid = this.#program?.child.pid
    if (pid === undefined) return
    this.#isExitExpected = true
    const kilobytes = /^VmSize:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
    execFileSync('prlimit', ['--pid', String(pid), `--as=${Number(kilobytes) * 1024}`])
    await Promise.race([this.#program?.ended, sleep(forMs)])
    await this.kill()
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

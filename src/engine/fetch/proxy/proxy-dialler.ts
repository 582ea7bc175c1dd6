// Opens connections to one origin through a proxy. The user has named the proxy, so its own address may be private. The
// target is checked as far as it is known here: its port, an address in its URL, names of private networks and, with
// socks5, the address that its name resolves to. Names are resolved by any other proxy, which then decides what may be
// reached.

import { connect as connectPlain, type Socket } from 'node:net'
import type { ProxyServer } from '../../../config/values/proxy-entry.ts'
import { normaliseHostname } from '../../../lib/hostname.ts'
import { ipVersion } from '../../../lib/ip-version.ts'
import { isBlockedPort } from '../blocked-ports.ts'
import {
  CONNECT_TIMEOUT_MS,
  callSoon,
  DEFAULT_PORTS,
  type Dial,
  type DialCallback,
  type DiallerDependencies,
  type DialState,
  forwardBytes,
  type OriginDialler,
  SOCKET_OPTIONS,
} from '../dialler.ts'
import { CodedError, codeOf } from '../fetch-result.ts'
import { openTunnel, type TunnelTarget } from './handshake.ts'

export class ProxyDialler implements OriginDialler {
  readonly state: DialState = { ip: null, dials: 0, lookups: 0 }
  readonly #url: URL
  readonly #target: TunnelTarget
  readonly #server: ProxyServer
  readonly #dependencies: DiallerDependencies
  #session: Buffer | undefined

  constructor(url: URL, server: ProxyServer, dependencies: DiallerDependencies) {
    this.#url = url
    this.#server = server
    this.#dependencies = dependencies
    this.#target = { host: normaliseHostname(url.hostname), port: Number(url.port || DEFAULT_PORTS[url.protocol]) }
  }

  readonly dialH1: Dial = (bytesCallback, done) => {
    const isSecure = this.#url.protocol === 'https:'
    return this.#dial(isSecure ? ['http/1.1'] : null, (...result) => {
      if (result[1] !== null) {
        forwardBytes(result[1], bytesCallback)
        result[1].resume()
      }
      done(...result)
    })
  }

  dialSecure(protocols: string[], done: DialCallback): () => void {
    return this.#dial(protocols, done)
  }

  /** `protocols`: over TLS, with ALPN. */
  #dial(protocols: string[] | null, done: DialCallback): () => void {
    const blockedCode = this.#blockedCode()
    if (blockedCode !== null) return callSoon(() => done(new CodedError(blockedCode), null))
    const { state } = this
    const { settings, clock } = this.#dependencies
    let socket: Socket | null = null
    let isConnected = false
    let hasTunnel = false
    let isSettled = false
    state.dials += 1
    const settle = (report: () => void): void => {
      if (isSettled) return
      isSettled = true
      stopWaiting()
      state.dials -= 1
      report()
    }
    const fail = (error: Error) =>
      settle(() => {
        socket?.destroy()
        done(error, null)
      })
    const stopWaiting = clock.after(Math.min(CONNECT_TIMEOUT_MS, settings.timeoutMs), () =>
      fail(new CodedError(isConnected ? 'CONNECT_TIMEOUT' : 'PROXY_CONNECT_TIMEOUT')),
    )
    const failLost = (code: string) => fail(new CodedError(hasTunnel ? code : `PROXY_${code}`))
    const open = async () => {
      const target = await this.#resolveTarget()
      if (isSettled) return
      socket = this.#connectToProxy(failLost)
      await once(socket, this.#server.scheme === 'https' ? 'secureConnect' : 'connect')
      isConnected = true
      if (!usesAbsoluteForm(this.#url, this.#server)) await openTunnel(socket, this.#server, target)
      hasTunnel = true
      if (protocols !== null && !isSettled) socket = await this.#secure(socket, protocols, fail)
      const ready = socket
      settle(() => {
        state.ip = ipVersion(target.host) === 0 ? null : target.host
        done(null, ready)
      })
    }
    open().catch(fail)
    return () => settle(() => socket?.destroy())
  }

  #connectToProxy(failLost: (code: string) => void): Socket {
    const { hostname, port, scheme } = this.#server
    const options = { ...SOCKET_OPTIONS, host: hostname, port }
    const { insecure } = this.#dependencies.settings
    const servername = ipVersion(hostname) === 0 ? hostname : ''
    const socket =
      scheme === 'https'
        ? process.getBuiltinModule('node:tls').connect({ ...options, servername, rejectUnauthorized: !insecure })
        : connectPlain(options)
    socket.on('error', (error) => failLost(codeOf(error) ?? error.name))
    return socket.once('close', () => failLost('CONNECTION_CLOSED'))
  }

  /** TLS with the target, through the tunnel. */
  async #secure(tunnel: Socket, protocols: string[], fail: (error: Error) => void): Promise<Socket> {
    const { insecure } = this.#dependencies.settings
    const { host } = this.#target
    const socket = process.getBuiltinModule('node:tls').connect({
      socket: tunnel,
      ALPNProtocols: protocols,
      rejectUnauthorized: !insecure,
      servername: ipVersion(host) === 0 ? host : '',
      ...(this.#session === undefined ? {} : { session: this.#session }),
    })
    socket.on('session', (session) => (this.#session = session))
    socket.on('error', fail)
    socket.once('close', () => tunnel.destroy())
    await once(socket, 'secureConnect')
    return socket
  }

  /** With socks5, the name is resolved here, and the proxy gets an address that the guard allows. */
  async #resolveTarget(): Promise<TunnelTarget> {
    const { host, port } = this.#target
    if (this.#server.scheme !== 'socks5' || ipVersion(host) !== 0) return this.#target
    const { resolver, guard } = this.#dependencies.settings
    this.state.lookups += 1
    const { promise, resolve, reject } = Promise.withResolvers<TunnelTarget>()
    resolver.lookup(host, (error, { addresses }) => {
      this.state.lookups -= 1
      const allowed = addresses.find(({ address }) => guard.isAllowed(address, host))
      if (error !== null) reject(error)
      else if (allowed === undefined) reject(new CodedError('ADDRESS_BLOCKED'))
      else resolve({ host: allowed.address, port })
    })
    return promise
  }

  #blockedCode(): string | null {
    const { guard } = this.#dependencies.settings
    const { host } = this.#target
    if (isBlockedPort(this.#url.port)) return 'PORT_BLOCKED'
    const isAllowed = resolvesNames(this.#server)
      ? guard.isAllowedWithoutLookup(host)
      : guard.isNameOrAllowedAddress(host)
    return isAllowed ? null : 'ADDRESS_BLOCKED'
  }
}

/** Plain HTTP through an HTTP proxy needs no tunnel: the request names the whole URL. */
export function usesAbsoluteForm(url: URL, { scheme }: ProxyServer): boolean {
  return url.protocol === 'http:' && (scheme === 'http' || scheme === 'https')
}

/** Whether the proxy resolves names. */
export function resolvesNames({ scheme }: ProxyServer): boolean {
  return scheme !== 'socks5'
}

/** Failures are reported elsewhere. */
function once(socket: Socket, event: 'connect' | 'secureConnect'): Promise<void> {
  return new Promise((resolve) => socket.once(event, () => resolve()))
}

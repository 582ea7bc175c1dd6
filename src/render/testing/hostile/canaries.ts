// Sockets on this machine that nothing may contact: they record every connection and datagram.

import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import type { Canaries } from './hostile-page.ts'

export interface RunningCanaries extends Canaries {
  contacts: string[]
  close(): void
}

/** Listens on IPv4 and IPv6, on ports chosen by the system unless they are given. */
export async function startCanaries(
  ports: { tcp: number; udp: number } = { tcp: 0, udp: 0 },
): Promise<RunningCanaries> {
  const contacts: string[] = []
  const tcp = createServer((socket) => {
    contacts.push(`TCP from ${socket.remoteAddress}`)
    socket.on('data', (bytes) => contacts.push(`TCP ${bytes.toString('latin1').slice(0, 200)}`))
    socket.on('error', () => undefined)
  })
  tcp.listen(ports.tcp, '::')
  await once(tcp, 'listening')
  const udp = createSocket('udp6')
  udp.on('message', (bytes) => contacts.push(`UDP ${bytes.toString('latin1').slice(0, 200)}`))
  udp.bind(ports.udp, '::')
  await once(udp, 'listening')
  return { contacts, tcpPort: portOf(tcp), udpPort: portOf(udp), close: () => closeAll(tcp, udp) }
}

function portOf(socket: Server | Socket): number {
  const address = socket.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}

function closeAll(tcp: Server, udp: Socket): void {
  tcp.close()
  tcp.unref()
  udp.close()
}

// Whether a server on loopback accepts connections.

import { once } from 'node:events'
import { connect } from 'node:net'

export async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  const isOpen = await once(socket, 'connect').then(
    () => true,
    () => false,
  )
  socket.destroy()
  return isOpen
}

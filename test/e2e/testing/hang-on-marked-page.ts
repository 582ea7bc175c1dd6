// Loaded into every thread of the program before its own code: hangs on a page that contains a marker. It simulates
// any future defect of this kind.

import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'

const { hash } = crypto

crypto.hash = ((...args: Parameters<typeof hash>) => {
  const [, data] = args
  if (Buffer.isBuffer(data) && data.includes('SPIN FOR EVER')) for (;;);
  return hash(...args)
}) as typeof hash
syncBuiltinESMExports()

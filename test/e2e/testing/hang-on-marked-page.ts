// Loaded into every thread of the program before its own code: a page that says so is never read to its end. It takes the
// place of whatever the next defect of that kind will be.

import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'

const { hash } = crypto

crypto.hash = ((...args: Parameters<typeof hash>) => {
  const [, data] = args
  if (Buffer.isBuffer(data) && data.includes('SPIN FOR EVER')) for (;;);
  return hash(...args)
}) as typeof hash
syncBuiltinESMExports()

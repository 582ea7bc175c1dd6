// Preloaded by the program: appends the URL of every module that any of its threads loads to the file NOTED_MODULES.

import { appendFileSync } from 'node:fs'
import { registerHooks } from 'node:module'

const file = process.env['NOTED_MODULES'] ?? ''

registerHooks({
  load(url, context, nextLoad) {
    appendFileSync(file, `${url}\n`)
    return nextLoad(url, context)
  },
})

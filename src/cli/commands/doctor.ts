import type { Command } from '../io.ts'

export const doctor: Command = {
  usage: '',
  help: 'Check what this machine offers: the version of Node, and the browser for rendering with what contains it.',
  maxArguments: 0,
  settings: ['config'],
  async run(_config, _args, io) {
    const checks = [{ isUp: true, text: `Node ${process.versions.node}.` }, ...(await io.describeBrowser())]
    for (const { isUp, text } of checks) io.stdout.write(`${isUp ? 'ok     ' : 'missing'}  ${text}\n`)
    return 0
  },
}

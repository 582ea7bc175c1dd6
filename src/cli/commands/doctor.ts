import type { Command } from '../io.ts'

export const doctor: Command = {
  usage: '',
  help: 'Check the version of Node and the browser for rendering. Also shows how well that browser is isolated.',
  maxArguments: 0,
  localReason: 'it examines this machine.',
  settings: ['config', 'browser'],
  async run(config, _args, io) {
    const checks = [{ isUp: true, text: `Node ${process.versions.node}.` }, ...(await io.describeBrowser(config))]
    for (const { isUp, text } of checks) io.stdout.write(`${isUp ? 'ok     ' : 'warning'}  ${text}\n`)
    return 0
  },
}

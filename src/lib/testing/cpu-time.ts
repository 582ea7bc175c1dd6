/** CPU time of `work` in ms. Unlike elapsed time, it hardly grows when the machine is busy with other programs. */
export function cpuMs(work: () => void): number {
  const start = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1000
}

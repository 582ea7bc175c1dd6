/** Runs a command's main function and sets the exit code: 0 if every goal was met, 1 if not or if it threw. */
export async function runToExitCode(main: () => Promise<boolean>): Promise<void> {
  try {
    process.exitCode = (await main()) ? 0 : 1
  } catch (error) {
    console.error(`Stopped by an error: ${error instanceof Error ? error.message : String(error)}`)
    process.exitCode = 1
  }
}

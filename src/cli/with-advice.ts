import { AppError, type ErrorCode } from '../lib/errors.ts'

/** Adds to an error with this code what to do about it, in the words of a command or of the library. */
export async function withAdvice<T>(code: ErrorCode, advice: string, run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== code) throw error
    throw new AppError(code, `${error.message} ${advice}`, { cause: error })
  }
}

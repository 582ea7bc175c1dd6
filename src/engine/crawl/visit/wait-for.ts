import type { BlockedBy, Steps } from './visit-steps.ts'

/** Blocks the visit until the promise settles. */
export function* waitFor<T>(by: BlockedBy, promise: Promise<T>): Steps<T> {
  const end: { value?: T; error?: unknown; isDone: boolean } = { isDone: false }
  yield {
    by,
    start(resume) {
      promise
        .then(
          (value) => {
            end.value = value
            end.isDone = true
          },
          (error: unknown) => {
            end.error = error
          },
        )
        .finally(resume)
    },
  }
  if (!end.isDone) throw end.error
  return end.value as T
}

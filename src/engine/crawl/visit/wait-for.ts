import type { Steps, WaitsFor } from './visit-steps.ts'

/** The visit waits until the promise settles. */
export function* waitFor<T>(waitsFor: WaitsFor, promise: Promise<T>): Steps<T> {
  const end: { value?: T; error?: unknown; isDone: boolean } = { isDone: false }
  yield {
    waitsFor,
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

// For tests in which nobody wants to know what is being read.

import type { StepNote } from './reading.ts'

export const NO_STEP_NOTE: StepNote = { begin: () => undefined, end: () => undefined }

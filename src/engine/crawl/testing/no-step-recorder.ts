// For tests in which nobody wants to know what is being read.

import type { StepRecorder } from '../visit/visit-processor.ts'

export const NO_STEP_RECORDER: StepRecorder = { begin: () => undefined, end: () => undefined }

// A step recorder that records nothing.

import type { StepRecorder } from '../visit/visit-processor.ts'

export const NO_STEP_RECORDER: StepRecorder = { begin: () => undefined, end: () => undefined }

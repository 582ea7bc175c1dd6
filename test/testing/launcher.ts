import { fileURLToPath } from 'node:url'

/** The `orbweaver` script that users run. */
export const launcherPath = fileURLToPath(new URL('../../orbweaver', import.meta.url))

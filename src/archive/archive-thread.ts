// The thread that writes the archive.

import { serveOnThread } from '../lib/service-thread.ts'
import { openArchive } from './open-archive.ts'

serveOnThread(openArchive)

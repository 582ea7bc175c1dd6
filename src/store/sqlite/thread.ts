// A thread that owns the store.

import { serveOnThread } from '../../lib/service-thread.ts'
import { openStoreServices } from './open-services.ts'

serveOnThread(openStoreServices)

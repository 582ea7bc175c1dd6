// Whether the server wants a token that this browser has not shown yet.

import { createStore } from './store.ts'

export const tokenWantedStore = createStore(false)

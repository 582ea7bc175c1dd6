// Whether the server wants a token that this browser has not shown yet.

import { createStore } from '../page/store.ts'

export const tokenRequiredStore = createStore(false)

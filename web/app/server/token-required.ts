// Whether the server has rejected a request for lack of a token.

import { createStore } from '../page/store.ts'

export const tokenRequiredStore = createStore(false)

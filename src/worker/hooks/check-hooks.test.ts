import assert from 'node:assert/strict'
import { it } from 'node:test'
import { checkHooks } from './check-hooks.ts'

it('hooks that would never be called, or fail with every call, are an error', () => {
  for (const [hooks, message] of [
    [{ shouldfollow: () => true }, /There is no hook shouldfollow. Did you mean shouldFollow\?/],
    [{ onPage: () => undefined }, /There is no hook onPage/],
    [{ onRequest: true }, /The hook onRequest must be a function/],
    [{ timeoutMs: -5 }, /timeoutMs of hooks must be a whole number/],
    [{ timeoutMs: '5s' }, /timeoutMs of hooks must be a whole number/],
  ] as const)
    assert.throws(() => checkHooks(hooks as never), message)
})

it('an object or an instance with some of the hooks is fine', () => {
  class Rules {
    seen = 0
    onRequest() {
      this.seen += 1
      return true
    }
  }
  for (const hooks of [{}, { extract: () => ({}), timeoutMs: 500 }, { onRequest: undefined as never }, new Rules()])
    checkHooks(hooks)
})

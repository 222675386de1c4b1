import { expect, test } from 'vitest'
import { whyNotCalled } from './literal-address.ts'

test.each([
  ['10.0.0.1', true],
  ['[fe80::1]', true],
  ['10.0.0.2', false],
  ['a-name-of-10.0.0.1', false],
  ['', false],
])('%s is refused at once: %s', (host, isRefused) => {
  const mayCall = (address: string) => !['10.0.0.1', 'fe80::1'].includes(address)
  expect(whyNotCalled(host, mayCall) !== undefined).toBe(isRefused)
})

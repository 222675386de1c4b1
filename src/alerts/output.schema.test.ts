import { expect, test } from 'vitest'
import { maskOutput, type Output, withKeptSecrets } from './output.schema.ts'

const login = (password: string, topic = 't'): Output => ({
  type: 'mqtt',
  config: { host: 'broker', topic, username: 'u', password, qos: 1, retain: false },
})
const [one, two, other] = [login('one'), login('two'), login('three', 'other')]

test.each<[name: string, sent: readonly Output[], kept: readonly Output[]]>([
  ['in the same places', [one, two, other], [one, two, other]],
  ['with the first left out', [two, other], [one, other]],
  ['in another order', [other, one, two], [other, two, one]],
  ['one of them twice', [one, two, other, other], [one, two, other, maskOutput(other)]],
])('outputs that look the same when masked keep each its own secret: %s', (_name, sent, kept) => {
  expect(withKeptSecrets(sent.map(maskOutput), [one, two, other])).toEqual(kept)
})

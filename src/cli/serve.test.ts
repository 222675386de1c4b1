import { describe, expect, test } from 'vitest'
import { masterKeyNotice } from './serve.ts'

describe('the notice of the master key', () => {
  test.each([
    ['a terminal shows the key', true, /\n {4}ak_secret$/],
    ['anything else says where it is kept', false, /^Your master key is in \/data\/master\.key\.$/],
  ])('%s', (_name, isTerminal, text) => {
    expect(masterKeyNotice('ak_secret', '/data/master.key', isTerminal)).toMatch(text)
  })
})

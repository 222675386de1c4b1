import { Duplex } from 'node:stream'
import { expect, test } from 'vitest'
import { createOutgoing } from './outgoing.ts'

function createRig() {
  const written: string[] = []
  const pending: (() => void)[] = []
  const socket = new Duplex({
    read: () => {},
    write(data: Buffer, _encoding, done) {
      written.push(data.toString())
      pending.push(done)
    },
  })
  /** The network takes what it was given. */
  const take = async () => {
    pending.shift()!()
    await new Promise(setImmediate)
  }
  return { outgoing: createOutgoing(socket), written, take }
}

test('answers count until they are taken, the stream does not count as an answer', async () => {
  const { outgoing, take } = createRig()
  outgoing.media.write(Buffer.from('picture'))
  outgoing.answers.write(Buffer.from('one'), Buffer.from('two'))
  expect(outgoing.queuedAnswerBytes).toBe(6)
  expect(outgoing.media.queuedBytes).toBeGreaterThan(13)
  for (let i = 0; i < 3; i++) await take()
  expect([outgoing.queuedAnswerBytes, outgoing.media.queuedBytes]).toEqual([0, 0])
})

test('what is written after the stop is dropped, and waits for nothing', async () => {
  const { outgoing, written, take } = createRig()
  outgoing.answers.write(Buffer.from('before'))
  outgoing.stop()
  outgoing.answers.write(Buffer.from('after'))
  outgoing.media.write(Buffer.from('picture'))
  expect(outgoing.queuedAnswerBytes).toBe(6)
  await take()
  expect(written).toEqual(['before'])
})

import { expect, test } from 'vitest'
import { writeAmf0 } from './amf0-writer.ts'
import { parseCommand } from './command.ts'
import { MESSAGE } from './message.ts'

const amf0 = writeAmf0('publish', 5, null, 'cam1', 'live')
const message = (typeId: number, payload: Buffer) => ({ typeId, streamId: 1, timestamp: 0, payload })
const COMMAND = { name: 'publish', transactionId: 5, object: {}, values: ['cam1', 'live'], streamId: 1 }

test('a command of AMF0', () => expect(parseCommand(message(MESSAGE.commandAmf0, amf0))).toEqual(COMMAND))

test('a command of AMF3 has a zero in front, or has it not', () => {
  const payload = Buffer.concat([Buffer.of(0), amf0])
  expect(parseCommand(message(MESSAGE.commandAmf3, payload))).toEqual(COMMAND)
  expect(parseCommand(message(MESSAGE.commandAmf3, amf0))).toEqual(COMMAND)
})

test('a message without a name is no command', () => {
  expect(parseCommand(message(MESSAGE.commandAmf0, writeAmf0(5)))).toBeUndefined()
  expect(parseCommand(message(MESSAGE.commandAmf0, Buffer.alloc(0)))).toBeUndefined()
})

test('a command with nothing but its name wants no answer', () => {
  expect(parseCommand(message(MESSAGE.commandAmf0, writeAmf0('closeStream')))).toMatchObject({ transactionId: 0 })
})

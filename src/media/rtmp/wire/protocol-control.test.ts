import { describe, expect, test } from 'vitest'
import { acknowledgement, userEvent, USER_EVENT } from './control-messages.ts'
import { MESSAGE } from './message.ts'
import { createProtocolControl } from './protocol-control.ts'

function createRig(onPing: () => void = () => {}) {
  const sent: Buffer[] = []
  const control = createProtocolControl({ answers: { write: (answer) => void sent.push(answer) }, onPing })
  const handle = (typeId: number, hex: string) =>
    control.handle({ typeId, streamId: 0, timestamp: 0, payload: Buffer.from(hex, 'hex') })
  return { control, handle, sent }
}

describe('acknowledgements', () => {
  test('are sent once for each full window, with all that was received', () => {
    const { control, handle, sent } = createRig()
    handle(MESSAGE.windowAcknowledgementSize, '000003e8')
    for (const bytes of [999, 1, 0, 1500]) {
      control.countReceived(bytes)
      control.acknowledge()
    }
    expect(sent).toEqual([acknowledgement(1000), acknowledgement(2500)])
  })

  test.each([
    { name: 'a window of nothing is one byte', payload: '00000000', acknowledged: 1 },
    { name: 'a window that is cut off changes nothing', payload: '0000', acknowledged: 0 },
  ])('$name', ({ payload, acknowledged }) => {
    const { control, handle, sent } = createRig()
    handle(MESSAGE.windowAcknowledgementSize, payload)
    control.acknowledge()
    control.countReceived(1)
    control.acknowledge()
    expect(sent).toHaveLength(acknowledged)
  })
})

describe('pings', () => {
  test('are answered with what they carry', () => {
    const { handle, sent } = createRig()
    expect(handle(MESSAGE.userControl, '000601020304')).toBe(true)
    expect(sent).toEqual([userEvent(USER_EVENT.pingResponse, 0x01020304)])
  })

  test.each(['0003000000010000', '0006', ''])('another event is none: %s', (payload) => {
    const { handle, sent } = createRig(() => expect.unreachable())
    expect(handle(MESSAGE.userControl, payload)).toBe(true)
    expect(sent).toEqual([])
  })

  test('are not answered where there are too many', () => {
    const { handle, sent } = createRig(() => {
      throw new Error('too many')
    })
    expect(() => handle(MESSAGE.userControl, '000601020304')).toThrow('too many')
    expect(sent).toEqual([])
  })
})

test.each([
  { name: 'an acknowledgement', typeId: MESSAGE.acknowledgement, isHandled: true },
  { name: 'a bandwidth', typeId: MESSAGE.setPeerBandwidth, isHandled: true },
  { name: 'a command', typeId: MESSAGE.commandAmf0, isHandled: false },
  { name: 'video', typeId: MESSAGE.video, isHandled: false },
])('$name: $isHandled', ({ typeId, isHandled }) => {
  const { handle, sent } = createRig()
  expect(handle(typeId, '00000001')).toBe(isHandled)
  expect(sent).toEqual([])
})

test('a limit of what we may send is passed on', () => {
  let asked = 0
  const control = createProtocolControl({ answers: { write: () => {} }, onPeerBandwidth: () => asked++ })
  const limit = { typeId: MESSAGE.setPeerBandwidth, streamId: 0, timestamp: 0, payload: Buffer.alloc(5) }
  expect([control.handle(limit), asked]).toEqual([true, 1])
})

import { describe, expect, test } from 'vitest'
import { createFakeClock } from '../../test/builders/fake-clock.ts'
import { anAccount } from '../../test/builders/plain-account.ts'
import { AppError } from '../core/errors.ts'
import { type FromWebrtc, type ToWebrtc, type WebrtcRefusalReason } from '../media/messages.ts'
import { createLog } from '../observe/log.ts'
import { type WatchQuestion } from './watch-access.ts'
import { type GatewayHandlers } from './webrtc-gateway.ts'
import { createWebrtc } from './webrtc.service.ts'

type Reply = (offer: { id: string }) => FromWebrtc | undefined

const answerAll: Reply = ({ id }) => ({ type: 'answer', id, sdp: `answer to ${id}` })

function createRig(reply: Reply = answerAll) {
  const clock = createFakeClock()
  const sent: ToWebrtc[] = []
  const held: string[] = []
  const granted: string[] = []
  const questions: WatchQuestion[] = []
  const logLines: string[] = []
  const state = {
    isAllowed: true,
    isOwner: true,
    isLive: true,
    isClosed: false,
    cameraFault: undefined as string | undefined,
  }
  let handlers!: GatewayHandlers
  const webrtc = createWebrtc({
    createGateway(given) {
      handlers = given
      return {
        send(message) {
          sent.push(message)
          const answer = message.type === 'offer' ? reply(message.offer) : undefined
          if (answer) handlers.onMessage(answer)
        },
        close: async () => void (state.isClosed = true),
      }
    },
    async access(question) {
      questions.push(question)
      if (!state.isAllowed) throw new AppError('api-key-invalid')
      return { principal: 'ann', isOwner: state.isOwner }
    },
    owners: { find: async (username) => (username === 'nobody' ? undefined : anAccount({ username })) },
    previews: {
      async hold(path) {
        held.push(path)
        return () => void held.splice(held.indexOf(path), 1)
      },
    },
    streams: {
      canBeRead: () => state.isLive,
      cameraFault: () => state.cameraFault,
      grant(action, path, { onBehalfOf, isForViewers } = {}) {
        const name = `${action} ${path} ${onBehalfOf ? `as ${onBehalfOf.principal}` : isForViewers ? 'for viewers' : ''}`
        granted.push(name)
        return { url: `rtsp://hub/${path}`, revoke: () => void granted.splice(granted.indexOf(name), 1) }
      },
    },
    hlsUrl: (path) => `/hls/${path}`,
    clock,
    log: createLog({ level: 'warn', write: (line) => void logLines.push(line) }),
  })
  const answer = (kind: 'watch' | 'publish' = 'watch', path = 'ann/cam') =>
    webrtc.answer({ kind, path, sdp: 'v=0', credentials: { key: 'k' }, address: '192.0.2.1' })
  return { webrtc, clock, sent, held, granted, questions, logLines, state, answer, handlers: () => handlers }
}

describe('an offer', () => {
  test('is answered by the gateway, and its session holds its path until it ends', async () => {
    const { webrtc, answer, handlers, held, granted, sent } = createRig()
    const { sessionId, sdp } = await answer()
    expect(sdp).toBe(`answer to ${sessionId}`)
    expect(sent).toMatchObject([{ type: 'offer', offer: { kind: 'watch', url: 'rtsp://hub/ann/cam', sdp: 'v=0' } }])
    expect([held, granted]).toEqual([['ann/cam'], ['read ann/cam for viewers']])
    handlers().onMessage({ type: 'ended', id: sessionId, reason: 'the other end left' })
    expect([held, granted]).toEqual([[], []])
    await webrtc.close()
  })

  test('to publish counts as its account’s own', async () => {
    const { webrtc, answer, granted, held } = createRig()
    await answer('publish')
    expect([granted, held]).toEqual([['publish ann/cam as webrtc:ann'], []])
    await webrtc.close()
  })

  test.each<[WebrtcRefusalReason, string]>([
    ['offer-invalid', 'offer-invalid'],
    ['cannot-carry', 'webrtc-cannot-carry'],
    ['not-live', 'stream-not-live'],
    ['path-in-use', 'stream-path-in-use'],
    ['limit-reached', 'published-stream-limit-reached'],
    ['full', 'webrtc-full'],
    ['not-listening', 'webrtc-not-listening'],
    ['unavailable', 'webrtc-unavailable'],
  ])('that the gateway refuses as %s is refused as %s, and holds nothing', async (reason, code) => {
    const { webrtc, answer, granted, held } = createRig(({ id }) => ({ type: 'refused', id, reason, sentence: 'No.' }))
    await expect(answer()).rejects.toMatchObject({ code })
    expect([granted, held]).toEqual([[], []])
    await webrtc.close()
  })

  test.each([
    ['its owner', true, 'Connection refused.'],
    ['others', false, 'There is no video of this camera now.'],
  ])('of a camera that is not connected: %s is told why as far as allowed', async (_whom, isOwner, reason) => {
    const { webrtc, answer, state } = createRig(({ id }) => ({
      type: 'refused',
      id,
      reason: 'not-live',
      sentence: 'No.',
    }))
    state.isOwner = isOwner
    state.cameraFault = 'Connection refused.'
    await expect(answer()).rejects.toMatchObject({
      code: 'stream-not-watchable',
      message: `ann/cam cannot be shown: ${reason} Try again in a moment.`,
    })
    await webrtc.close()
  })

  test('is refused when the gateway dies', async () => {
    const { webrtc, answer, handlers, sent } = createRig(() => undefined)
    const refused = expect(answer()).rejects.toMatchObject({ code: 'webrtc-unavailable' })
    await expect.poll(() => sent.length).toBe(1)
    handlers().onExit()
    await refused
    await webrtc.close()
  })
})

describe('refusals before the gateway is asked', () => {
  test.each([
    ['a path that is not live', { isLive: false }, 'ann/cam', 'stream-not-live'],
    ['a path of nobody', {}, 'nobody/cam', 'stream-not-live'],
    ['a key that may not', { isAllowed: false }, 'ann/cam', 'api-key-invalid'],
  ])('%s', async (_name, change, path, code) => {
    const { webrtc, answer, state, sent, held } = createRig()
    Object.assign(state, change)
    await expect(answer('watch', path)).rejects.toMatchObject({ code })
    expect([sent, held]).toEqual([[], []])
    await webrtc.close()
  })

  test('more sessions of an owner’s streams than it may have, others’ not', async () => {
    const { webrtc, answer } = createRig()
    await answer()
    await answer('publish', 'ann/other')
    await expect(answer()).rejects.toMatchObject({ code: 'webrtc-session-limit-reached' })
    await answer('watch', 'bob/cam')
    await webrtc.close()
    await expect(answer('watch', 'bob/cam')).rejects.toMatchObject({ code: 'shutting-down' })
  })
})

describe('a session', () => {
  test('ends by its address, and again without complaint', async () => {
    const { webrtc, answer, handlers, sent } = createRig()
    const { sessionId } = await answer()
    await expect(webrtc.end(sessionId, 'ann/other')).rejects.toMatchObject({ code: 'webrtc-session-not-found' })
    await webrtc.end(sessionId, 'ann/cam')
    expect(sent.at(-1)).toEqual({ type: 'end', id: sessionId, reason: 'it was asked to' })
    handlers().onMessage({ type: 'ended', id: sessionId, reason: 'it was asked to' })
    await webrtc.end(sessionId, 'ann/cam')
    expect(sent).toHaveLength(2)
    await webrtc.close()
  })

  test('ends when its right is gone, which is asked about again and again', async () => {
    const { webrtc, answer, state, clock, sent, questions } = createRig()
    const { sessionId } = await answer('watch', 'ann/cam')
    await clock.advance(3_000)
    expect(questions.at(-1)).toMatchObject({ action: 'read', path: 'ann/cam', isAgain: true })
    expect(sent).toHaveLength(1)
    state.isAllowed = false
    await clock.advance(3_000)
    expect(sent.at(-1)).toMatchObject({ type: 'end', id: sessionId })
    await webrtc.close()
    expect(state.isClosed).toBe(true)
  })
})

test('a port that the gateway cannot open is logged once, though every offer has it tried again', async () => {
  const { webrtc, handlers, logLines } = createRig()
  for (let i = 0; i < 3; i++) handlers().onMessage({ type: 'not-listening', sentence: 'Port 8189 is taken.' })
  expect(logLines).toHaveLength(1)
  expect(JSON.parse(logLines[0]!)).toMatchObject({ level: 40, msg: 'Port 8189 is taken.' })
  await webrtc.close()
})

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { publish } from '../../../test/support/ffmpeg.ts'
import { freePort } from '../../../test/support/free-port.ts'
import { startOpenRtspServer } from '../../../test/support/rtsp-server.ts'
import { isHeartbeat } from '../../supervise/child-entry.ts'
import { type FromHls, type ToHls } from '../messages.ts'

/** What a worker for this stream says first, on a socket that it cannot open. */
async function firstMessageOf(url: string): Promise<FromHls> {
  const runner = new URL('../../../node_modules/vite-node/vite-node.mjs', import.meta.url).pathname
  const child = fork(runner, [new URL('./worker.ts', import.meta.url).pathname], { serialization: 'advanced' })
  const first = new Promise<FromHls>((resolve) => {
    child.on('message', (message) => isHeartbeat(message) || resolve(message as FromHls))
  })
  child.send({ url, socketPath: '/nowhere/hls.sock', firstSequence: 1 } satisfies ToHls)
  const message = await first
  child.disconnect()
  await once(child, 'exit')
  return message
}

test('viewers get our own sentence of why a stream cannot be shown, the log has that of FFmpeg', async () => {
  expect(await firstMessageOf(`rtsp://127.0.0.1:${await freePort()}/ann/cam`)).toEqual({
    type: 'ended',
    sentence: 'Nothing listens there; check host and port.',
    ffmpegMessage: expect.stringMatching(/connection refused/i) as string,
  })
}, 60_000)

test('a worker that cannot listen ends, and says so', async () => {
  const server = await startOpenRtspServer()
  const camera = publish(server.url, { audio: false })
  try {
    await server.until((hub) => hub.list().some(({ isLive }) => isLive))
    expect(await firstMessageOf(server.url)).toEqual({
      type: 'ended',
      sentence: expect.stringMatching(/^Its process cannot listen for players \(E[A-Z]+\)\.$/) as string,
      ffmpegMessage: undefined,
    })
  } finally {
    await camera.kill()
    await server.close()
  }
}, 60_000)

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { freePort } from '../../../test/builders/free-port.ts'
import { type FromHls, type ToHls } from '../messages.ts'

test('viewers are told in our own words why a stream cannot be shown, the log in those of FFmpeg', async () => {
  const runner = new URL('../../../node_modules/vite-node/vite-node.mjs', import.meta.url).pathname
  const child = fork(runner, [new URL('./worker.ts', import.meta.url).pathname], { serialization: 'advanced' })
  const ended = new Promise<FromHls>((resolve) => {
    child.on('message', (message) => typeof message === 'object' && resolve(message as FromHls))
  })
  const url = `rtsp://127.0.0.1:${await freePort()}/ann/cam`
  child.send({ url, socketPath: '/nowhere/hls.sock', firstSequence: 1 } satisfies ToHls)
  expect(await ended).toEqual({
    type: 'ended',
    sentence: 'Nothing listens there; check host and port.',
    ffmpegMessage: expect.stringMatching(/connection refused/i) as string,
  })
  child.disconnect()
  await once(child, 'exit')
}, 60_000)

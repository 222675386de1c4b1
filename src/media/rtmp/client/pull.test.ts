import { expect, test } from 'vitest'
import { listen, receive } from '../../../../test/builders/rtmp-receiver.ts'
import { type Command } from '../wire/command.ts'
import { openRtmpPull } from './pull.ts'

test.each([
  ['live/cam?key=v', { app: 'live', tcUrl: 'live' }, 'cam?key=v'],
  ['a/b/c', { app: 'a/b', tcUrl: 'a/b' }, 'c'],
])('the server of %s sees the address as it was given', async (path, { app, tcUrl }, name) => {
  const commands: Command[] = []
  const dialled: string[] = []
  const port = await listen((socket) => {
    receive(socket, (command) => {
      commands.push(command)
      if (command.name === 'play') socket.destroy()
      return false
    })
  })
  const dial = async (hostname: string, to: number) => (dialled.push(`${hostname}:${to}`), '127.0.0.1')
  const failure = await openRtmpPull(`rtmp://camera.test:${port}/${path}`, { dial, timeoutMs: 2_000 }).catch(
    (error: unknown) => error,
  )
  expect((failure as Error).message).toMatch(/^(It takes the connection, but sends no video|The server broke)/)
  expect(dialled).toEqual([`camera.test:${port}`])
  expect(commands.find((command) => command.name === 'connect')?.object).toMatchObject({
    app,
    tcUrl: `rtmp://camera.test:${port}/${tcUrl}`,
  })
  expect(commands.find((command) => command.name === 'play')?.values[0]).toBe(name)
})

test('what the dial refuses is not dialled', async () => {
  const dial = async () => Promise.reject(new Error('camera.test may not be called.'))
  const opening = openRtmpPull('rtmp://camera.test/live/cam', { dial, timeoutMs: 1_000 })
  await expect(opening).rejects.toThrow('camera.test may not be called.')
})

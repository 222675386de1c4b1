import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { Server } from 'node:net'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { useTemporaryFolder } from '../../../test/support/temporary-folder.ts'
import { createSegmentWindow } from './segment-window.ts'
import { createHlsServer, parseFileName } from './server.ts'

const folder = useTemporaryFolder('aerie-hls-')
const createServer = () => createHlsServer(createSegmentWindow(1), () => undefined)

test('a socket that cannot be opened is a sentence, which names no folder', async () => {
  const server = createServer()
  await expect(server.listen(join(folder(), 'nowhere', 'hls.sock'))).rejects.toThrow(
    /^Its process cannot listen for players \(E(ACCES|NOENT)\)\.$/,
  )
  expect(server.isListening).toBe(false)
  await server.close()
})

test('a connection that cannot be accepted ends nothing', async () => {
  const listen = vi.spyOn(Server.prototype, 'listen')
  const socketPath = join(folder(), 'hls.sock')
  const server = createServer()
  await server.listen(socketPath)
  const netServer = listen.mock.contexts[0] as Server
  listen.mockRestore()
  netServer.emit('error', Object.assign(new Error('accept EMFILE'), { code: 'EMFILE' }))
  const [response] = (await once(request({ socketPath, path: '/nothing' }).end(), 'response')) as [IncomingMessage]
  expect(response.statusCode).toBe(404)
  response.resume()
  await server.close()
})

describe('names of files', () => {
  test.each([
    ['index.m3u8', { kind: 'master' }],
    ['stream.m3u8', { kind: 'media' }],
    ['init-12.mp4', { kind: 'header', run: 12 }],
    ['7.m4s', { kind: 'segment', sequence: 7 }],
    ['7.0.m4s', { kind: 'part', sequence: 7, part: 0 }],
  ])('%s', (name, file) => expect(parseFileName(name)).toEqual(file))

  test.each([
    '',
    '..',
    '../index.m3u8',
    'index.m3u8/..',
    '7.m4s.',
    '-1.m4s',
    '7.0.0.m4s',
    '1e3.m4s',
    `${'9'.repeat(13)}.m4s`,
    'init-.mp4',
    '7.m4s\n',
  ])('there is no %j', (name) => expect(parseFileName(name)).toBeUndefined())
})

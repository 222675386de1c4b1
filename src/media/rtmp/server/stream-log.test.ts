import { expect, test } from 'vitest'
import { createStreamLog } from './stream-log.ts'

const KEY = 'ak_0123456789abcdef'

function createRig() {
  const lines: string[] = []
  const line = (kind: string) => (fields: object, text: string) =>
    void lines.push(`${kind}: ${text} ${JSON.stringify(fields)}`)
  const log = { info: line('info'), warn: line('warn') }
  return { lines, streamLog: createStreamLog(log, { note: line('refusal') }, '192.0.2.1') }
}

test('a publisher and a reader come and leave', () => {
  const { lines, streamLog } = createRig()
  streamLog.began('publish', 'admin/cam')
  streamLog.ended('play', 'admin/cam')
  const fields = '{"path":"admin/cam","remoteAddress":"192.0.2.1"}'
  expect(lines).toEqual([`info: A publisher sends. ${fields}`, `info: A reader left. ${fields}`])
})

test('refusals are counted with the others, failures of the server are warnings', () => {
  const { lines, streamLog } = createRig()
  const status = { code: 'NetStream.Play.Failed', description: 'Say who you are.' }
  streamLog.refused('play', 'admin/cam', { ...status, isServerFailure: false }, new Error('refused'))
  streamLog.refused('play', 'admin/cam', { ...status, isServerFailure: true }, new Error('broken'))
  expect(lines).toEqual([
    expect.stringContaining('refusal: A client was refused: Say who you are.'),
    expect.stringContaining('warn: A client could not play.'),
  ])
})

test('keys are masked, wherever they were written', () => {
  const { lines, streamLog } = createRig()
  const status = { code: 'NetStream.Publish.BadName', description: `${KEY} is no path.`, isServerFailure: false }
  streamLog.refused('publish', `admin/${KEY}`, status, undefined)
  streamLog.began('play', `admin/cam?api_key=${KEY}`)
  streamLog.playerTooSlow(KEY, 'too-many-bytes', 1)
  streamLog.playerFailed(KEY, undefined)
  expect(lines).toHaveLength(4)
  expect(lines.join()).not.toContain('0123456789')
})

import { expect, test } from 'vitest'
import { createLog } from './log.ts'

test('no secret is ever written, wherever it stands', () => {
  const lines: string[] = []
  const log = createLog({ level: 'info', write: (line) => void lines.push(line) })
  const key = 'ak_0123456789abcdefghijklmnopqrstuv'
  log.info({ url: `/status?api_key=${key}`, nested: { key } }, `opened rtsp://user:hunter2@camera/1 with ${key}`)
  log.error({ err: new Error(`could not reach rtsp://user:hunter2@camera/1?token=tok_5`) }, 'failed')
  const text = lines.join('')
  expect(text).toContain('opened rtsp://user:***@camera/1')
  for (const secret of [key, 'hunter2', 'tok_5']) expect(text).not.toContain(secret)
  for (const line of lines) expect(() => JSON.parse(line) as unknown).not.toThrow()
})

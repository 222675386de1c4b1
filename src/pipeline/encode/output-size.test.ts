import { expect, test } from 'vitest'
import { sizeFor } from './output-size.ts'

test.each([
  [720, '1920x1080', '1280x720'],
  [360, '1920x1080', '640x360'],
  [1080, '1280x720', '1920x1080'],
  [1080, '768x576', '1440x1080'],
  [720, '768x576', '960x720'],
  [360, '854x480', '640x360'],
  [720, '1080x1920', '406x720'],
  [null, '1920x1080', '1920x1080'],
  [null, '768x576', '768x576'],
  [null, '853x481', '854x482'],
  [null, '7680x4320', '7680x4320'],
  [null, '16000x8000', '8192x4096'],
  [1080, '4000x100', '8192x204'],
  [360, '1x1080', '2x360'],
] as const)('%s lines of %s are %s', (lines, input, output) => {
  const [width, height] = input.split('x').map(Number) as [number, number]
  const size = sizeFor(lines, { width, height })
  expect(`${size.width}x${size.height}`).toBe(output)
})

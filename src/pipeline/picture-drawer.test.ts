import '../av/polyfill.ts'
import '../av/input.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { aGreyPicture } from '../../test/builders/grey-picture.ts'
import { type OutputPicture } from './encode/output-picture.ts'
import { createPictureDrawer, type PictureDrawer } from './picture-drawer.ts'

let drawer: PictureDrawer
beforeEach(() => void (drawer = createPictureDrawer()))
afterEach(() => drawer.close())

const nothing = { tracks: [], trails: [], notice: undefined }
const brightnesses = ({ planes }: OutputPicture) => new Set(planes.y).size

test('it has the wanted size, and the notice is drawn on it', () => {
  const picture = aGreyPicture({ width: 640, height: 480 })
  const drawn: [width: number, height: number, isPlain: boolean][] = []
  const note = (one: OutputPicture) => void drawn.push([one.width, one.height, brightnesses(one) === 1])
  drawer.draw(picture, null, nothing, note)
  drawer.draw(picture, 360, { ...nothing, notice: 'Paused' }, note)
  picture.decoded.release()
  expect(drawn).toEqual([
    [640, 480, true],
    [480, 360, false],
  ])
})

test('the drawn picture is released after its use, also when that fails', () => {
  const picture = aGreyPicture({ width: 64, height: 36 })
  let drawn: OutputPicture | undefined
  const use = (one: OutputPicture) => {
    drawn = one
    throw new Error('No encoder.')
  }
  expect(() => drawer.draw(picture, null, nothing, use)).toThrow('No encoder.')
  expect(() => drawn!.release()).toThrow('released twice')
  picture.decoded.release()
})

import './polyfill.ts'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { FormatContext, IOContext } from 'node-av'
import { expect, onTestFinished, test, vi } from 'vitest'
import { useTemporaryFolder } from '../../test/support/temporary-folder.ts'
import { addCopiedStream } from './copied-stream.ts'
import { openFragmentedMp4 } from './fragmented-mp4.ts'
import { openInput } from './input.ts'

const folder = useTemporaryFolder('aerie-fragmented-mp4-')

function watchReleases() {
  const spies = [vi.spyOn(IOContext.prototype, 'closepSync'), vi.spyOn(FormatContext.prototype, 'freeContext')]
  onTestFinished(() => spies.forEach((spy) => spy.mockRestore()))
  return () => spies.map(({ mock }) => mock.calls.length)
}

test('the header is in the file before anything else, and a closed file holds what it was given', async () => {
  const file = join(folder(), 'video.mp4')
  const input = await openInput('assets/demo/people-walking.mp4', { timeoutMs: 5_000 })
  const mp4 = openFragmentedMp4(file, (output) => addCopiedStream(output, input.video!))
  expect(readFileSync(file).includes('moov')).toBe(true)
  expect(mp4.streams.index).toBe(0)
  mp4.close()
  await input.close()
  expect(readFileSync(file).includes('mfra')).toBe(true)
})

test('nothing stays open of a file without streams, which has no header', () => {
  const releases = watchReleases()
  expect(() => openFragmentedMp4(join(folder(), 'video.mp4'), () => undefined)).toThrow()
  expect(releases()).toEqual([1, 1])
})

test('nothing stays open when the streams cannot be described', () => {
  const releases = watchReleases()
  const describe = () => {
    throw new Error('no such codec')
  }
  expect(() => openFragmentedMp4(join(folder(), 'video.mp4'), describe)).toThrow('no such codec')
  expect(releases()).toEqual([1, 1])
})

test('nothing stays open of a file that cannot be made', () => {
  const releases = watchReleases()
  expect(() => openFragmentedMp4(join(folder(), 'no-folder', 'video.mp4'), () => undefined)).toThrow()
  expect(releases()).toEqual([0, 1])
})

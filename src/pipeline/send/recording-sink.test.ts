import '../../av/polyfill.ts'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AVERROR_ENOSPC, FormatContext, IOContext } from 'node-av'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { codedH264 } from '../../../test/builders/coded-pictures.ts'
import { openInput } from '../../av/input.ts'
import { splitByStartCodes } from '../../media/rtp/annex-b.ts'
import { createRecordingSink } from './recording-sink.ts'
import { type CodedPicture } from './sink.ts'

let root: string
let states: string[]
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'aerie-recording-sink-'))
  states = []
  vi.useFakeTimers({ toFake: ['Date'] })
})
afterEach(() => {
  vi.useRealTimers()
  rmSync(root, { recursive: true })
})

const open = (folder: string) =>
  createRecordingSink(
    folder,
    (state, sentence) => void states.push(`${state} ${sentence}`),
    () => Date.now(),
  )

function picture(ptsMs: number, { isKeyframe = true, width = 64 } = {}): CodedPicture {
  const data = codedH264({ width, height: 64, chroma: 1, depth: 8, references: 1, pictures: 1 })
  return { data, nalUnits: splitByStartCodes(data), ptsMs, isKeyframe }
}

test('the video is kept from the first keyframe on, in a file for each size', async () => {
  const folder = join(root, 'kept')
  const sink = open(folder)
  vi.setSystemTime(1_000)
  sink.write(picture(0, { isKeyframe: false }))
  expect(states).toEqual([])
  sink.write(picture(40))
  sink.write(picture(80))
  vi.setSystemTime(2_000)
  sink.write(picture(120, { width: 128 }))
  await sink.close()
  expect(states).toEqual(['sending null', 'sending null'])
  const names = readdirSync(folder).sort()
  expect(names).toEqual(['1000.mp4', '2000.mp4'])
  const widths: number[] = []
  for (const name of names) {
    const input = await openInput(join(folder, name), { timeoutMs: 5_000 })
    widths.push(input.video!.codecpar.width)
    await input.close()
  }
  expect(widths).toEqual([64, 128])
})

test('a disk that takes nothing is tried again at a keyframe after ten seconds', async () => {
  const blocked = join(root, 'a-file')
  writeFileSync(blocked, '')
  const sink = open(blocked)
  vi.setSystemTime(20_000)
  sink.write(picture(0))
  sink.write(picture(40))
  expect(states).toEqual([expect.stringMatching(/^waiting The processed video cannot be kept: /)])
  rmSync(blocked)
  vi.setSystemTime(29_999)
  sink.write(picture(9_999))
  vi.setSystemTime(30_000)
  sink.write(picture(10_000, { isKeyframe: false }))
  expect(readdirSync(root)).toEqual([])
  sink.write(picture(10_040))
  sink.write(picture(11_039, { isKeyframe: false }))
  expect(states).toHaveLength(1)
  // Only by now something of it has been written.
  sink.write(picture(11_040, { isKeyframe: false }))
  await sink.close()
  expect(states.slice(1)).toEqual(['sending null'])
  expect(readdirSync(blocked)).toEqual(['30000.mp4'])
})

test('a disk that fills up closes the file, and goes on in another once there is room', async () => {
  const written = vi.spyOn(FormatContext.prototype, 'interleavedWriteFrameSync')
  const closed = vi.spyOn(IOContext.prototype, 'closepSync')
  onTestFinished(() => [written, closed].forEach((spy) => spy.mockRestore()))
  const sink = open(root)
  vi.setSystemTime(20_000)
  sink.write(picture(0))
  written.mockReturnValueOnce(AVERROR_ENOSPC)
  sink.write(picture(40))
  expect(closed).toHaveBeenCalledTimes(1)
  // Full still: that it could be opened is not reported as success.
  vi.setSystemTime(30_000)
  written.mockReturnValueOnce(AVERROR_ENOSPC)
  sink.write(picture(10_000))
  vi.setSystemTime(40_000)
  sink.write(picture(20_000))
  sink.write(picture(21_000))
  await sink.close()
  const failure = expect.stringMatching(/^waiting The processed video cannot be kept: /)
  expect(states).toEqual(['sending null', failure, failure, 'sending null'])
  expect(readdirSync(root).sort()).toEqual(['20000.mp4', '30000.mp4', '40000.mp4'])
})

test('a file that took nothing is not left behind', async () => {
  const header = vi.spyOn(FormatContext.prototype, 'writeHeaderSync').mockReturnValue(AVERROR_ENOSPC)
  onTestFinished(() => header.mockRestore())
  const sink = open(root)
  sink.write(picture(0))
  await sink.close()
  expect([states.length, readdirSync(root)]).toEqual([1, []])
})

test('a video that the file cannot describe ends the recording, and the file is not left open', async () => {
  const opened = vi.spyOn(IOContext.prototype, 'open2Sync')
  const closed = vi.spyOn(IOContext.prototype, 'closepSync')
  onTestFinished(() => [opened, closed].forEach((spy) => spy.mockRestore()))
  const sink = open(root)
  sink.write({ ...picture(0), nalUnits: [] })
  expect(states).toEqual([expect.stringMatching(/^waiting The processed video cannot be kept: /)])
  expect([opened, closed].map(({ mock }) => mock.calls.length)).toEqual([1, 1])
  await sink.close()
})

test('a last flush that fails is said, and neither thrown nor tried again', async () => {
  const closed = vi.spyOn(IOContext.prototype, 'closepSync')
  onTestFinished(() => closed.mockRestore())
  const sink = open(root)
  sink.write(picture(0))
  closed.mockReturnValueOnce(AVERROR_ENOSPC)
  await sink.close()
  await sink.close()
  expect(states).toEqual(['sending null', expect.stringMatching(/^waiting The processed video cannot be kept: /)])
  expect(closed).toHaveBeenCalledTimes(1)
})

import { closeSync, ftruncateSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { toFragmentIndex } from '../../../src/media/mp4/fragment-index.ts'
import { FragmentFault } from '../../../src/media/mp4/fragment-splitter.ts'
import { type FragmentWalk, walkFragmentsSync } from '../../../src/media/mp4/fragment-walk.ts'
import { readMp4Header } from '../../../src/media/mp4/mp4-header.ts'
import { shiftFragments } from '../../../src/media/mp4/shift-fragments.ts'
import { toTransportStream } from '../../../src/media/mpegts/ts-transform.ts'
import { smallFragmentedMp4 } from '../../builders/small-videos.ts'
import { recordedFile } from '../inputs/recorded-file.ts'
import { pieces } from '../mutate.ts'
import { type Random, randomOf } from '../random.ts'
import { type FuzzTarget } from '../target.ts'

const TS_PACKET_BYTES = 188
/** Each sample may take headers and what fills its last packet. */
const MAX_TS_GROWTH = 400
const HEADER = readMp4Header(smallFragmentedMp4())!

/** Whatever stands in a file: it is walked, its times are shifted and it becomes a transport stream, or it is none of ours. */
export const recordedFiles: FuzzTarget = {
  name: 'recorded-files',
  about: 'files of recordings, torn and changed, to the walk over them and to what makes pieces of them',
  counts: { short: 300, long: 100_000 },
  open() {
    const folder = mkdtempSync(join(tmpdir(), 'aerie-fuzz-recorded-'))
    const descriptor = openSync(join(folder, 'file.mp4'), 'w+')
    return {
      create: recordedFile,
      async feed(input) {
        ftruncateSync(descriptor)
        writeSync(descriptor, input, 0, input.length, 0)
        const walk = walkFragmentsSync(descriptor, input.length)
        checkWalk(walk, input)
        const random = randomOf(input)
        for (const at of [0, walk.initBytes, random.below(input.length + 1)])
          await makePieces(input.subarray(at), walk, random)
      },
      async close() {
        closeSync(descriptor)
        rmSync(folder, { recursive: true })
      },
    }
  },
}

/** What is whole lies in the file, one after the other, and so do the places to cut it at. */
function checkWalk(walk: FragmentWalk, { length }: Buffer): void {
  let end = 0
  for (const { at, bytes } of walk.fragments) {
    if (at < end || at + bytes > length) throw new Error(`A fragment at ${at} of ${bytes} bytes.`)
    end = at + bytes
  }
  if (walk.wholeBytes > length || walk.initBytes > length) throw new Error('More is whole than there is.')
  const index = toFragmentIndex(walk)
  for (const [at, group] of (index?.groups ?? []).entries()) {
    const before = index!.groups[at - 1]
    if (!Number.isSafeInteger(group.ms) || group.byte >= length || (before && group.byte <= before.byte))
      throw new Error(`A group at ${group.ms} ms, byte ${group.byte}.`)
  }
}

async function makePieces(bytes: Buffer, { header }: FragmentWalk, random: Random): Promise<void> {
  const baseMs = random.pick([-172_800_000, -1, 0, 10_000, 172_800_000])
  const shifted = await bytesOf(shiftFragments(chunksOf(bytes, random), () => BigInt(baseMs) * 90n))
  if (shifted > bytes.length) throw new Error(`${bytes.length} bytes became ${shifted}.`)
  for (const known of [HEADER, header ?? HEADER]) {
    const stream = await bytesOf(toTransportStream(chunksOf(bytes, random), known, baseMs))
    if (stream % TS_PACKET_BYTES !== 0) throw new Error(`A transport stream of ${stream} bytes.`)
    if (stream > MAX_TS_GROWTH * (bytes.length + 10)) throw new Error(`${bytes.length} bytes became ${stream}.`)
  }
}

/** What came before it was found to be none of ours was sent. */
async function bytesOf(stream: AsyncIterable<Buffer>): Promise<number> {
  let bytes = 0
  try {
    for await (const chunk of stream) bytes += chunk.length
  } catch (error) {
    if (!(error instanceof FragmentFault)) throw error
  }
  return bytes
}

async function* chunksOf(bytes: Buffer, random: Random): AsyncGenerator<Buffer> {
  yield* pieces(bytes, random)
}

import { splitByStartCodes } from '../../src/media/rtp/annex-b.ts'
import { codedH264 } from './coded-pictures.ts'
import { avcC, withLengths } from './flv-tags.ts'
import { box, u32 } from './mp4-boxes.ts'

/** The smallest files that are whole: a few grey pictures in each container. */

const SIZE = { width: 64, height: 64 } as const
const TICKS = 512
const PICTURES = 4

interface Clip {
  readonly entry: Buffer
  readonly samples: readonly Buffer[]
}

const u16 = (...values: readonly number[]) => Buffer.from(values.flatMap((value) => [value >> 8, value & 0xff]))
const full = (type: string, flags: number, ...content: Buffer[]) => box(type, u32(flags), ...content)
const MATRIX = u32(0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000)

function h264Clip(): Clip {
  const stream = codedH264({ ...SIZE, chroma: 1, depth: 8, references: 1, pictures: PICTURES })
  const [sps, pps, ...pictures] = splitByStartCodes(stream)
  return {
    entry: sampleEntry('avc1', box('avcC', avcC(sps, pps))),
    samples: pictures.map((unit) => withLengths([unit])),
  }
}

/** Each picture a file of its own, as QuickTime has them too. */
function pictureClip(type: string, picture: Buffer): Clip {
  return { entry: sampleEntry(type), samples: Array.from({ length: PICTURES }, () => picture) }
}

function sampleEntry(type: string, ...boxes: Buffer[]): Buffer {
  const { width, height } = SIZE
  const head = [Buffer.alloc(6), u16(1), Buffer.alloc(16), u16(width, height), u32(0x480000, 0x480000, 0), u16(1)]
  return box(type, ...head, Buffer.alloc(32), u16(0x18, 0xffff), ...boxes)
}

const sum = (samples: readonly Buffer[]) => samples.reduce((bytes, { length }) => bytes + length, 0)

function moov({ entry, samples }: Clip, tables: readonly Buffer[], ...more: Buffer[]): Buffer {
  const duration = TICKS * samples.length
  const { width, height } = SIZE
  const stbl = box('stbl', full('stsd', 0, u32(1), entry), ...tables)
  const minf = box(
    'minf',
    full('vmhd', 1, Buffer.alloc(8)),
    box('dinf', full('dref', 0, u32(1), full('url ', 1))),
    stbl,
  )
  const mdhd = full('mdhd', 0, u32(0, 0, 12_800, duration), u16(0x55c4, 0))
  const hdlr = full('hdlr', 0, u32(0), Buffer.from('vide'), u32(0, 0, 0), Buffer.from('video\0'))
  const tkhd = full('tkhd', 3, u32(0, 0, 1, 0, duration, 0, 0, 0, 0), MATRIX, u32(width * 65_536, height * 65_536))
  const edts = box('edts', full('elst', 0, u32(1, duration, 0, 0x10000)))
  const trak = box('trak', tkhd, edts, box('mdia', mdhd, hdlr, minf))
  const mvhd = full('mvhd', 0, u32(0, 0, 12_800, duration, 0x10000), Buffer.alloc(10), MATRIX, Buffer.alloc(24), u32(2))
  return box('moov', mvhd, trak, ...more)
}

const ftyp = (brand: string) => box('ftyp', Buffer.from(brand), u32(0x200), Buffer.from('isomiso2mp41'))

function plainMp4(clip: Clip, brand: string): Buffer {
  const { samples } = clip
  const head = ftyp(brand)
  const mdat = box('mdat', ...samples)
  return Buffer.concat([
    head,
    mdat,
    moov(clip, [
      full('stts', 0, u32(1, samples.length, TICKS)),
      full('stss', 0, u32(1, 1)),
      full('stsc', 0, u32(1, 1, samples.length, 1)),
      full('stsz', 0, u32(0, samples.length, ...samples.map(({ length }) => length))),
      full('stco', 0, u32(1, head.length + 8)),
    ]),
  ])
}

export const smallMp4 = (): Buffer => plainMp4(h264Clip(), 'isom')
/** As cameras write whose pictures are PNG or JPEG. */
export const smallMov = (type: 'png ' | 'jpeg', picture: Buffer): Buffer => plainMp4(pictureClip(type, picture), 'qt  ')

export function smallFragmentedMp4(): Buffer {
  const clip = h264Clip()
  const empty = ['stts', 'stsc', 'stco'].map((type) => full(type, 0, u32(0)))
  const trex = full('trex', 0, u32(1, 1, TICKS, 0, 0))
  const head = moov(clip, [...empty, full('stsz', 0, u32(0, 0))], box('mvex', trex))
  const fragments = clip.samples.map((sample, at) => {
    const tfhd = full('tfhd', 0x020000, u32(1))
    const tfdt = full('tfdt', 0, u32(at * TICKS))
    // Where the data is, behind this very box; and the size of each sample.
    const trun = (offset: number) => full('trun', 0x201, u32(1, offset, sample.length))
    const moof = (offset: number) => box('moof', full('mfhd', 0, u32(at + 1)), box('traf', tfhd, tfdt, trun(offset)))
    return Buffer.concat([moof(moof(0).length + 8), box('mdat', sample)])
  })
  return Buffer.concat([ftyp('iso5'), head, ...fragments])
}

/** RIFF counts the other way round. */
function chunk(type: string, ...content: Buffer[]): Buffer {
  const body = Buffer.concat(content)
  const size = Buffer.alloc(4)
  size.writeUInt32LE(body.length)
  return Buffer.concat([Buffer.from(type, 'latin1'), size, body, Buffer.alloc(body.length % 2)])
}

function le32(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length)
  values.forEach((value, at) => bytes.writeUInt32LE(value, 4 * at))
  return bytes
}

const list = (type: string, ...content: Buffer[]) => chunk('LIST', Buffer.from(type), ...content)

export function smallAvi(codec: 'MJPG' | 'MPNG' | 'H264', picture: Buffer): Buffer {
  const { width, height } = SIZE
  const samples = Array.from({ length: PICTURES }, () => picture)
  const avih = chunk('avih', le32(40_000, 0, 0, 0x10, samples.length, 0, 1, sum(samples), width, height, 0, 0, 0, 0))
  const rates = le32(0, 0, 0, 1, 25, 0, samples.length, 0, 0, 0, 0, 0)
  const strh = chunk('strh', Buffer.from(`vids${codec}`), rates)
  const format = Buffer.concat([le32(40, width, height), Buffer.from([1, 0, 24, 0]), Buffer.from(codec)])
  const strf = chunk('strf', format, le32(width * height * 3, 0, 0, 0, 0))
  const movi = list('movi', ...samples.map((sample) => chunk('00dc', sample)))
  const index = chunk(
    'idx1',
    ...samples.map((sample, at) =>
      Buffer.concat([Buffer.from('00dc'), le32(0x10, 4 + at * (8 + sample.length), sample.length)]),
    ),
  )
  return chunk('RIFF', Buffer.from('AVI '), list('hdrl', avih, list('strl', strh, strf)), movi, index)
}

/** The first bytes of what we do not take: Matroska, and a transport stream. */
export function otherContainers(): Buffer[] {
  const ebml = Buffer.from(
    '1a45dfa39f4286810142f7810142f2810442f381084282886d6174726f736b6142878104428581021853806701ffffffffffffff',
    'hex',
  )
  const packet = Buffer.alloc(188, 0xff)
  Buffer.from('474000100000b00d0001c100000001f0002ab104b2', 'hex').copy(packet)
  return [Buffer.concat([ebml, Buffer.alloc(400)]), Buffer.concat(Array.from({ length: 8 }, () => packet))]
}

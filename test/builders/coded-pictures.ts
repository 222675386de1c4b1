/** The smallest streams of H.264 and H.265 that decode to pictures of any size, format and number of references. */
export interface CodedPictures {
  readonly width: number
  readonly height: number
  /** `chroma_format_idc`: 1 is 4:2:0, 3 is 4:4:4. */
  readonly chroma: 1 | 3
  readonly depth: number
  readonly references: number
  readonly pictures: number
}

/** A grey picture, of nine bits for each block, and copies of it, each of which is referred to (H.264 §7.3). */
export function codedH264({ width, height, chroma, depth, references, pictures }: CodedPictures): Buffer {
  const across = width / 16
  const down = height / 16
  const sps = bits()
    .u(8, chroma === 3 ? 244 : 110)
    .u(8, 0)
    .u(8, 62)
    .ue(0, chroma)
  if (chroma === 3) sps.u(1, 0)
  sps.ue(depth - 8, depth - 8).u(2, 0)
  // Numbers of pictures have eight bits, and their order is that of decoding.
  sps.ue(4, 2, references).u(1, 0)
  sps.ue(across - 1, down - 1).u(4, 0b1100)
  const pps = bits().ue(0, 0).u(2, 0).ue(0, 0, 0).u(3, 0).ue(0, 0, 0).u(3, 0b100)

  const key = bits().ue(0, 7, 0).u(8, 0).ue(0).u(2, 0).ue(0, 1)
  // Intra16x16 predicted from its neighbours, and nothing to add to it.
  for (let block = 0; block < across * down; block++) {
    if (chroma === 3) key.ue(3, 0).u(3, 0b111)
    else key.ue(3, 0, 0).u(1, 1)
  }
  const copies = Array.from({ length: pictures - 1 }, (_, index) => {
    const copy = bits()
      .ue(0, 5, 0)
      .u(8, (index + 1) % 256)
      .u(3, 0)
      .ue(0, 1, across * down)
    return nalUnit([0x61], copy.end())
  })
  return Buffer.concat([nalUnit([0x67], sps.end()), nalUnit([0x68], pps.end()), nalUnit([0x65], key.end()), ...copies])
}

/** Pictures of rubbish, each of which asks for those before it to be kept (H.265 §7.3). */
export function codedH265({ width, height, chroma, depth, references, pictures }: CodedPictures): Buffer {
  const held = references - 1
  const profile = (writer: Bits) => writer.u(8, 4).u(4, 0).u(1, 1).u(27, 0).u(4, 0).u(32, 0).u(12, 0).u(8, 186)
  const vps = profile(bits().u(4, 0).u(2, 3).u(9, 0).u(1, 1).u(16, 0xffff)).u(1, 1).ue(held, 0, 0).u(6, 0).ue(0).u(2, 0)
  const sps = profile(bits().u(7, 0).u(1, 1)).ue(0, chroma)
  if (chroma === 3) sps.u(1, 0)
  sps
    .ue(width, height)
    .u(1, 0)
    .ue(depth - 8, depth - 8, 4)
    .u(1, 1)
    .ue(held, 0, 0)
  sps.ue(0, 3, 0, 3, 0, 0).u(4, 0).ue(0).u(5, 0)
  const pps = bits().ue(0, 0).u(7, 0).ue(0, 0, 0).u(3, 0).ue(0, 0).u(10, 0).ue(0).u(2, 0)

  const rubbish = Buffer.alloc(64, 0x55)
  const key = Buffer.concat([bits().u(2, 0b10).ue(0, 2, 0).end(), rubbish])
  const others = Array.from({ length: pictures - 1 }, (_, index) => {
    const kept = Math.min(index + 1, held)
    const head = bits()
      .u(1, 1)
      .ue(0, 1)
      .u(8, (index + 1) % 256)
      .u(1, 0)
      .ue(kept, 0)
    for (let one = 0; one < kept; one++) head.ue(0).u(1, 1)
    return nalUnit([1 << 1, 1], Buffer.concat([head.u(1, 0).ue(0, 0).end(), rubbish]))
  })
  const sets = [nalUnit([32 << 1, 1], vps.end()), nalUnit([33 << 1, 1], sps.end()), nalUnit([34 << 1, 1], pps.end())]
  return Buffer.concat([...sets, nalUnit([19 << 1, 1], key), ...others])
}

interface Bits {
  u(count: number, value: number): Bits
  ue(...values: number[]): Bits
  end(): Buffer
}

function bits(): Bits {
  const written: number[] = []
  const writer: Bits = {
    u(count, value) {
      for (let bit = count - 1; bit >= 0; bit--) written.push(Math.floor(value / 2 ** bit) % 2)
      return writer
    },
    ue(...values) {
      for (const value of values) {
        const zeros = Math.floor(Math.log2(value + 1))
        writer.u(zeros, 0).u(zeros + 1, value + 1)
      }
      return writer
    },
    end() {
      writer.u(1, 1)
      const bytes = Buffer.alloc(Math.ceil(written.length / 8))
      written.forEach((bit, at) => (bytes[at >> 3]! |= bit << (7 - (at & 7))))
      return bytes
    },
  }
  return writer
}

/** Behind a start code, and with the bytes that keep others from looking like one (H.264 §7.4.1). */
function nalUnit(header: number[], payload: Buffer): Buffer {
  const bytes = [0, 0, 0, 1, ...header]
  let zeros = 0
  for (const byte of payload) {
    if (zeros >= 2 && byte <= 3) {
      bytes.push(3)
      zeros = 0
    }
    zeros = byte === 0 ? zeros + 1 : 0
    bytes.push(byte)
  }
  return Buffer.from(bytes)
}

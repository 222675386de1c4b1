import '../../av/polyfill.ts'
import { AVFMT_FLAG_CUSTOM_IO, Dictionary, FormatContext, IOContext, type Packet, type Stream } from 'node-av'
import { addCopiedStream } from '../../av/copied-stream.ts'
import { check } from '../../av/faults.ts'

/** Fragmented MP4 in memory: one header, then a fragment whenever it is asked for. */
export interface FragmentMuxer {
  /** `ftyp` and `moov`. */
  readonly header: Buffer
  /** RFC 6381, one for each stream. */
  readonly codecs: readonly string[]
  /** Times are in the stream's own base; the packet is changed, and still the caller's to free. */
  write(packet: Packet, stream: Stream, times: SampleTimes): Promise<void>
  /** Everything written since the last call, as one `moof` with its `mdat`. */
  takeFragment(): Promise<Buffer>
  close(): void
}

export interface SampleTimes {
  /** Growing from packet to packet. */
  readonly dts: bigint
  /** Not before `dts`. */
  readonly pts: bigint
  readonly duration: bigint
}

/** A larger fragment comes in several writes. */
const BUFFER_BYTES = 256 * 1024

export async function openFragmentMuxer(streams: readonly Stream[]): Promise<FragmentMuxer> {
  const written: Buffer[] = []
  const output = new FormatContext()
  check(output.allocOutputContext2(null, 'mp4', null))
  const io = new IOContext()
  io.allocContextWithCallbacks(BUFFER_BYTES, 1, null, (bytes) => {
    written.push(Buffer.from(bytes))
    return bytes.length
  })
  output.pb = io
  output.setFlags(AVFMT_FLAG_CUSTOM_IO)
  const outputStreams = new Map(streams.map((stream) => [stream.index, addCopiedStream(output, stream)]))

  const options = Dictionary.fromObject({
    // Fragments are cut by us. `frag_discont` takes the first packets' times as they are, so that sound and picture stay together.
    movflags: 'frag_custom+empty_moov+default_base_moof+frag_discont+skip_trailer',
    use_editlist: 0,
    avoid_negative_ts: 'disabled',
    flush_packets: 1,
  })
  check(await output.writeHeader(options))
  options.free()
  const take = () => Buffer.concat(written.splice(0))

  return {
    header: take(),
    codecs: [...outputStreams.values()].map(({ codecpar }) => codecpar.getCodecString() ?? ''),
    async write(packet, stream, { dts, pts, duration }) {
      const outputStream = outputStreams.get(stream.index)
      if (!outputStream) return
      packet.dts = dts
      packet.pts = pts
      packet.duration = duration
      packet.streamIndex = outputStream.index
      packet.rescaleTs(stream.timeBase, outputStream.timeBase)
      check(await output.writeFrame(packet))
    },
    async takeFragment() {
      check(await output.writeFrame(null))
      return take()
    },
    close() {
      output.pb = null
      output.freeContext()
      io.freeContext()
    },
  }
}

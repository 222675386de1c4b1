import { type Packet, type Stream } from 'node-av'
import { type DecodedFrame } from './frame-pool.ts'
import { type VideoDecoder } from './video-decoder.ts'

/** Where packets come from. */
export interface PacketReader {
  /** The next packet, which stays valid until the next call; undefined at the end. */
  read(): Promise<Packet | undefined>
}

/** Every picture of a stream, in order; each must be released. Reads no further than it is asked to. */
export async function* decodeFrames(
  reader: PacketReader,
  { index }: Pick<Stream, 'index'>,
  decoder: VideoDecoder,
): AsyncGenerator<DecodedFrame, void, undefined> {
  for (;;) {
    const packet = await reader.read()
    if (!packet) break
    if (packet.streamIndex === index) yield* decoder.decode(packet)
  }
  yield* decoder.flush()
}

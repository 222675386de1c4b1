import { type FormatContext, type Stream } from 'node-av'

/**
 * Adds a stream to an MP4 file, into which the packets of `input` are copied. Tags of RTSP or FLV would be refused there; without
 * `codecTag` the muxer takes its own.
 */
export function addCopiedStream(output: FormatContext, input: Stream, codecTag: string | number = 0): Stream {
  const stream = output.newStream(null)
  input.codecpar.copy(stream.codecpar)
  stream.codecpar.codecTag = codecTag
  stream.timeBase = input.timeBase
  return stream
}

import { HostRefused } from '../../outbound/allowed-addresses.ts'
import { readRtmpStream } from '../rtmp/client/stream-reader.ts'
import { RtmpUnreadableError } from '../rtmp/client/server-sentence.ts'
import { LEFT, type ReadCamera } from './reading.ts'

/** Reads a camera, or somebody's server, by RTMP. */
export const readRtmpCamera: ReadCamera = async (options) => {
  try {
    await readRtmpStream(options)
    return LEFT
  } catch (error) {
    const sentence = (error as Error).message
    const isFinal = error instanceof RtmpUnreadableError || (error instanceof HostRefused && error.denial !== undefined)
    return isFinal || error instanceof HostRefused
      ? { kind: isFinal ? 'unreadable' : 'lost', sentence }
      : { kind: 'lost', sentence: `It cannot be opened: ${sentence}` }
  }
}

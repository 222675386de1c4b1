import { HostRefused } from '../../outbound/allowed-addresses.ts'
import { readRtmpStream } from '../rtmp/client/stream-reader.ts'
import { RtmpUnreadableError } from '../rtmp/client/server-sentence.ts'
import { LEFT, type ReadCamera, type ReadingEnd } from './reading.ts'

/** Reads a camera, or somebody's server, by RTMP. */
export const readRtmpCamera: ReadCamera = async (options) => {
  try {
    await readRtmpStream(options)
    return LEFT
  } catch (error) {
    return endOf(error as Error)
  }
}

function endOf(error: Error): ReadingEnd {
  const sentence = error.message
  if (error instanceof RtmpUnreadableError) return { kind: 'unreadable', sentence }
  if (error instanceof HostRefused) return { kind: error.denial ? 'unreadable' : 'lost', sentence }
  return { kind: 'lost', sentence: `It cannot be opened: ${sentence}` }
}

import './polyfill.ts'
import { AVIO_FLAG_WRITE, Dictionary, FormatContext, IOContext } from 'node-av'
import { check } from './faults.ts'

/**
 * An MP4 file that plays whenever its writer dies: its fragments are cut by time and flushed, so a crash loses the last one at most.
 * Each keyframe begins one, so that the file can be cut there.
 */
export interface FragmentedMp4<Streams> {
  readonly output: FormatContext
  /** The file itself, for what the muxer does not write; it stands behind the header. */
  readonly target: IOContext
  readonly streams: Streams
  /** Throws when the last bytes cannot be written; all is released even so. */
  close(): void
}

/** With the picture that ends it and what is on its way, a crash loses half a second at most. */
const FRAGMENT_US = 250_000

const MUXER_OPTIONS = {
  movflags: 'empty_moov+default_base_moof+frag_keyframe',
  frag_duration: FRAGMENT_US,
  flush_packets: 1,
  // Announced audio that never arrives must not hold the video back.
  max_interleave_delta: 200_000,
}

/** Opens the file and writes its header, with the streams that `addStreams` describes. */
export function openFragmentedMp4<Streams>(
  file: string,
  addStreams: (output: FormatContext) => Streams,
): FragmentedMp4<Streams> {
  const output = new FormatContext()
  const target = new IOContext()

  /** Closing flushes, and may find the disk full: its result is FFmpeg's. */
  function release(): number {
    let result = 0
    if (output.pb) {
      result = target.closepSync()
      output.pb = null
    }
    output.freeContext()
    return result
  }

  try {
    check(output.allocOutputContext2(null, 'mp4', file))
    check(target.open2Sync(file, AVIO_FLAG_WRITE))
    output.pb = target
    const streams = addStreams(output)
    writeHeader(output)
    return {
      output,
      target,
      streams,
      close() {
        output.writeTrailerSync()
        check(release())
      },
    }
  } catch (error) {
    release()
    throw error
  }
}

function writeHeader(output: FormatContext): void {
  const options = Dictionary.fromObject(MUXER_OPTIONS)
  try {
    check(output.writeHeaderSync(options))
  } finally {
    options.free()
  }
}

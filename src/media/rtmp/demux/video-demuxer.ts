import { type VideoCodec } from '../../../core/video-codec.ts'
import { type VideoTag } from '../wire/flv-video.ts'
import { splitNalUnits } from '../wire/nal-units.ts'
import { belongsInFrame, isComplete, mergeParameterSets } from '../wire/parameter-sets.ts'
import { type VideoFormat } from '../wire/video-format.ts'
import { VIDEO_FORMATS } from '../wire/video-formats.ts'

export interface Picture {
  readonly nalUnits: readonly Buffer[]
  readonly compositionMs: number
}

/** Makes access units of video tags and keeps the parameter sets that count. */
export interface VideoDemuxer {
  readonly format: VideoFormat
  /** All that decoding needs, or empty as long as something is missing. */
  readonly parameterSets: readonly Buffer[]
  configure(data: Buffer): void
  /** Undefined when there is no picture in it. */
  frame(tag: Extract<VideoTag, { kind: 'frame' }>): Picture | undefined
}

/** Offsets of more than this are garbage: no encoder holds pictures back so long. */
const MAX_COMPOSITION_MS = 5000

export function createVideoDemuxer(codec: VideoCodec): VideoDemuxer {
  const format = VIDEO_FORMATS[codec]
  let sets: readonly Buffer[] = []
  let lengthSize = 4

  return {
    format,
    get parameterSets() {
      return isComplete(format, sets) ? sets : []
    },
    configure(data) {
      const configuration = format.parseConfiguration(data)
      if (!configuration) return
      sets = configuration.parameterSets
      lengthSize = configuration.lengthSize
    },
    frame({ data, isKeyframe, compositionMs }) {
      const nalUnits = splitNalUnits(data, lengthSize).filter((unit) => format.isCarriable(unit))
      sets = mergeParameterSets(format, sets, nalUnits)
      if (!nalUnits.some((unit) => format.isSlice(unit))) return undefined
      return {
        nalUnits: format.isKeyframe(nalUnits, isKeyframe) ? withSets(nalUnits) : withoutSequenceSets(nalUnits),
        compositionMs: Math.abs(compositionMs) <= MAX_COMPOSITION_MS ? compositionMs : 0,
      }
    },
  }

  /** Every keyframe brings all sets along, new or not, so that a reader that begins here can decode. */
  function withSets(nalUnits: readonly Buffer[]): Buffer[] {
    const delimiters = nalUnits.filter((unit) => format.typeOf(unit) === format.delimiterType)
    const rest = nalUnits.filter((unit) => belongsInFrame(format, unit))
    return [...delimiters.slice(0, 1), ...sets, ...rest]
  }

  /** In front of other pictures they would make it look as if decoding could begin there. */
  function withoutSequenceSets(nalUnits: readonly Buffer[]): Buffer[] {
    return nalUnits.filter((unit) => !format.sequenceSetTypes.includes(format.typeOf(unit)))
  }
}

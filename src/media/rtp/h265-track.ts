import { type VideoTrack } from '../stream.ts'
import { H265_TYPE, h265Type } from './h265-nal-unit.ts'

/** An H.265 track with its parameter sets as the SDP describes it (RFC 7798 §7.1). */
export function describeH265Track(payloadType: number, parameterSets: readonly Buffer[]): VideoTrack {
  const ofType = (type: number) =>
    parameterSets
      .filter((set) => h265Type(set) === type)
      .map((set) => set.toString('base64'))
      .join(',')
  return {
    kind: 'video',
    codec: 'h265',
    payloadType,
    clockRate: 90_000,
    encodingName: 'H265',
    fmtp: `sprop-vps=${ofType(H265_TYPE.vps)}; sprop-sps=${ofType(H265_TYPE.sps)}; sprop-pps=${ofType(H265_TYPE.pps)}`,
    parameterSets,
  }
}

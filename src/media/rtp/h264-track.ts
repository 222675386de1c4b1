import { type VideoTrack } from '../stream.ts'

/** An H.264 track with its parameter sets, SPS first, as the SDP describes it (RFC 6184 §8.1). */
export function describeH264Track(payloadType: number, parameterSets: readonly Buffer[]): VideoTrack {
  const profileLevelId = parameterSets[0]!.subarray(1, 4).toString('hex').toUpperCase()
  const sets = parameterSets.map((set) => set.toString('base64')).join(',')
  return {
    kind: 'video',
    codec: 'h264',
    payloadType,
    clockRate: 90_000,
    encodingName: 'H264',
    fmtp: `packetization-mode=1; sprop-parameter-sets=${sets}; profile-level-id=${profileLevelId}`,
    parameterSets,
  }
}

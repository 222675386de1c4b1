import { type Codec, type MediaTrack } from '../../stream.ts'

const NAMES: Readonly<Partial<Record<Codec, string>>> = { h265: 'hevc', pcma: 'pcm_alaw', pcmu: 'pcm_mulaw' }
const NAMES_BY_ENCODING: Readonly<Record<string, string>> = {
  JPEG: 'mjpeg',
  MPV: 'mpeg2video',
  'MP4V-ES': 'mpeg4',
  'H263-1998': 'h263',
  'H263-2000': 'h263',
  G722: 'adpcm_g722',
  MPA: 'mp3',
}

/** A track's codec as FFmpeg names it, which is how users know it from files; RTP has names of its own. */
export function codecNameOf({ codec, encodingName }: MediaTrack): string {
  if (codec !== 'other') return NAMES[codec] ?? codec
  return NAMES_BY_ENCODING[encodingName.toUpperCase()] ?? (encodingName.toLowerCase() || 'unknown')
}

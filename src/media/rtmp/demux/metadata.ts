import { type AmfObject, type AmfValue, isAmfObject } from '../wire/amf0.ts'

export interface AnnouncedTracks {
  readonly video: boolean
  readonly audio: boolean
}

/** What `onMetaData` says will come. Undefined when it says nothing of either. */
export function readAnnouncedTracks(metadata: AmfObject): AnnouncedTracks | undefined {
  const video = isNamed(metadata['videocodecid']) || isNamed(metadata['width'])
  const audio = isNamed(metadata['audiocodecid']) || isNamed(metadata['audiosamplerate'])
  return video || audio ? { video, audio } : undefined
}

/** Codec ids come as numbers, names, or FourCCs in either form. */
function isNamed(value: AmfValue): boolean {
  return (typeof value === 'number' && value > 0) || (typeof value === 'string' && value !== '')
}

/** The metadata among the values of a data message, which publishers put behind `@setDataFrame`, and some don't. */
export function findMetadata(values: readonly AmfValue[]): AmfObject | undefined {
  const at = values.indexOf('onMetaData')
  const metadata = at >= 0 ? values[at + 1] : undefined
  return isAmfObject(metadata) ? metadata : undefined
}

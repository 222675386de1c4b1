import { type EndReason, type Reader } from '../../src/media/publication.ts'
import { createAacDepacketizer, type AacFrame } from '../../src/media/rtp/aac-depacketizer.ts'
import { readAacFormat } from '../../src/media/rtp/aac-track.ts'
import { type AccessUnit } from '../../src/media/rtp/access-unit.ts'
import { createH264Depacketizer } from '../../src/media/rtp/h264-codec.ts'
import { createH265Depacketizer } from '../../src/media/rtp/h265-codec.ts'
import { type SenderReport, type StreamDescription } from '../../src/media/stream.ts'

/** A reader of the hub that keeps all pictures and sounds it gets. */
export interface CollectingReader extends Reader {
  readonly pictures: (AccessUnit & { receivedAtMs: number })[]
  readonly sounds: AacFrame[]
  readonly reports: SenderReport[]
  readonly ends: EndReason[]
}

export function createCollectingReader({ tracks }: StreamDescription): CollectingReader {
  const depacketizers = tracks.map((track) => {
    if (track.codec === 'h264') return { video: createH264Depacketizer() }
    if (track.codec === 'h265') return { video: createH265Depacketizer() }
    const format = readAacFormat(track)
    return format ? { audio: createAacDepacketizer(format) } : {}
  })
  const reader: CollectingReader = {
    pictures: [],
    sounds: [],
    reports: [],
    ends: [],
    packet({ track, data, receivedAtMs }) {
      const { video, audio } = depacketizers[track]!
      if (video) reader.pictures.push(...video.push(data).map((unit) => ({ ...unit, receivedAtMs })))
      if (audio) reader.sounds.push(...audio.push(data))
    },
    report: (report) => void reader.reports.push(report),
    end: (reason) => void reader.ends.push(reason),
  }
  return reader
}

import { type Packet } from 'node-av'
import { createVideoDecoder } from '../pipeline/decode/video-decoder.ts'
import { type DecodedFrame } from '../pipeline/decode/frame-pool.ts'
import { sizeFor } from '../pipeline/encode/output-size.ts'
import { type OutputPicture } from '../pipeline/encode/output-picture.ts'
import { createPictureScaler } from '../pipeline/encode/picture-scaler.ts'
import { createOverlay } from '../pipeline/overlay/overlay.ts'
import { type ClipEncoder, createClipEncoder, type EncodedSample } from './clip-encoder.ts'
import { type PartOptions, type PlacedFile } from './copy-part.ts'
import { type DrawnLooks } from './drawn-looks.ts'
import { writeParameterSets } from './parameter-set-record.ts'
import { openPartFile, type PartFile, toTicks } from './part-file.ts'
import { CutError, openRecordedVideo, type RecordedVideo, shownMs } from './recorded-video.ts'

/** In which a player can begin. */
const KEYFRAME_SECONDS = 2
/** Sound that comes before the first picture is decoded. */
const MAX_HELD_SOUND = 2_000

/** Writes a part of which each picture is encoded anew, to H.264, with what was seen drawn into it where there is something. */
export async function encodePart(
  files: readonly PlacedFile[],
  looks: DrawnLooks | undefined,
  options: PartOptions,
): Promise<number> {
  const writer = createWriter(files[0]!, looks, options)
  try {
    for (const file of files) await encodeFile(file, writer, options)
    return await writer.close()
  } finally {
    writer.release()
  }
}

interface Writer {
  picture(decoded: DecodedFrame, file: PlacedFile, opened: RecordedVideo, ms: number): void
  sound(packet: Packet, file: PlacedFile, opened: RecordedVideo): void
  close(): Promise<number>
  release(): void
}

function createWriter(first: PlacedFile, looks: DrawnLooks | undefined, { target }: PartOptions): Writer {
  const scaler = createPictureScaler()
  const overlay = createOverlay()
  /** Of the first picture; all are scaled to it. */
  let opened:
    | { readonly part: PartFile; readonly encoder: ClipEncoder; readonly width: number; readonly height: number }
    | undefined
  let sounds: { packet: Packet; of: RecordedVideo; placeMs: number }[] = []
  const durationTicks = toTicks(1000 / (first.fps || 25))

  function begin(drawn: OutputPicture, video: RecordedVideo): NonNullable<typeof opened> {
    const encoder = createClipEncoder(drawn.frame, { fps: first.fps, keyframeSeconds: KEYFRAME_SECONDS })
    const record = writeParameterSets(encoder.sets, { sps: [], pps: [] })!
    const { width, height } = drawn
    const format = { video: video.video, audio: video.audio, record, width, height, reorderedFrames: 0 }
    const part = openPartFile(target, format)
    for (const { packet, of, placeMs } of sounds) {
      part.writeAudio(packet, of.audio!, placeMs)
      packet.free()
    }
    sounds = []
    return { part, encoder, width, height }
  }

  function write(samples: readonly EncodedSample[]): void {
    for (const { data, ticks, isKeyframe } of samples) opened!.part.writeVideo(data, ticks, durationTicks, isKeyframe)
  }

  return {
    picture({ frame, width, height }, file, video, ms) {
      const size = opened ?? sizeFor(null, { width, height })
      const drawn = scaler.scale(frame, size)
      try {
        for (const { inputSize, tracks } of looks?.at(file.startedAtMs + ms) ?? [])
          overlay.draw(drawn.planes, { inputSize, tracks })
        opened ??= begin(drawn, video)
        write(opened.encoder.encode(drawn.frame, toTicks(file.placeMs + ms)))
      } finally {
        drawn.release()
      }
    },
    sound(packet, { placeMs }, of) {
      if (opened) return opened.part.writeAudio(packet, of.audio!, placeMs)
      const held = sounds.length < MAX_HELD_SOUND ? packet.clone() : null
      if (held) sounds.push({ packet: held, of, placeMs })
    },
    async close() {
      if (!opened) throw new CutError('unreadable', 'None of the recorded pictures can be decoded.')
      write(opened.encoder.flush())
      return opened.part.close()
    },
    release() {
      opened?.part.abandon()
      opened?.encoder.close()
      for (const { packet } of sounds) packet.free()
      scaler.close()
    },
  }
}

async function encodeFile(file: PlacedFile, writer: Writer, { maxPicture, onWritten }: PartOptions): Promise<void> {
  const opened = await openRecordedVideo(file)
  if (!opened) throw new CutError('unreadable', 'The recording cannot be read any more.')
  const { input, video, audio } = opened
  const { decodeFrom, decodeTo, fromMs, toMs } = file.whole
  const decoder = createVideoDecoder(video, { limit: maxPicture })

  function encode(pictures: Iterable<DecodedFrame>): void {
    for (const picture of pictures) {
      try {
        const { ptsMs } = picture
        if (ptsMs === undefined || ptsMs < fromMs || ptsMs >= toMs) continue
        writer.picture(picture, file, opened!, ptsMs)
        onWritten(file.startedAtMs + ptsMs)
      } finally {
        picture.release()
      }
    }
  }

  try {
    let at = 0
    for (let packet = await input.read(); packet; packet = await input.read()) {
      if (packet.streamIndex === audio?.index) {
        const ms = shownMs(packet, audio)
        if (ms !== undefined && ms >= file.firstMs && ms < file.endMs) writer.sound(packet, file, opened)
      }
      if (packet.streamIndex !== video.index || shownMs(packet, video) === undefined) continue
      if (at >= decodeFrom && at < decodeTo) encode(decoder.decode(packet))
      at++
      if (at >= decodeTo && !audio) break
    }
    encode(decoder.flush())
  } finally {
    decoder.close()
    await input.close()
  }
}

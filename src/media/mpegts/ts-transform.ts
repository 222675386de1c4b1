import { setImmediate } from 'node:timers/promises'
import { NO_DEFAULTS, samplesIn, type Sample } from '../mp4/fragment-samples.ts'
import { createFragmentSplitter, FragmentFault } from '../mp4/fragment-splitter.ts'
import { type Mp4Header } from '../mp4/mp4-header.ts'
import { AUDIO_STREAM, pesPacket, VIDEO_STREAM } from './pes-packet.ts'
import { AUDIO_PID, PAT_PID, PMT_PID, programAssociation, programMap, VIDEO_PID } from './program-tables.ts'
import { createPacketWriter } from './ts-packets.ts'
import { type TsTrack, type TsTracks, tsTracksOf } from './ts-tracks.ts'

/** A picture of the largest size that is decoded is smaller, however badly it was encoded. */
const MAX_SAMPLE_BYTES = 32 * 2 ** 20
/** Other work has its turn after so much. */
const TURN_BYTES = 256 * 1024
const TICKS_PER_MS = 90
/** The decoder's clock is behind what it is to decode, so that it has time to receive it (§2.4.2). */
const DECODER_DELAY_MS = 300

/**
 * The samples of fragments as a transport stream, `baseMs` later than in their file; each stands for itself, as pieces of a playlist
 * do. Throws a `FragmentFault` on what is none of our files, and where the codec is none that such a stream carries.
 */
export async function* toTransportStream(
  chunks: AsyncIterable<Buffer>,
  header: Mp4Header,
  baseMs: number,
): AsyncGenerator<Buffer, void> {
  const tracks = tsTracksOf(header)
  if (!tracks) throw new FragmentFault('a codec that no transport stream carries')
  const writer = createStreamWriter(tracks, baseMs)
  const splitter = createFragmentSplitter()
  const defaultsOf = (id: number) => header.tracks.find((track) => track.id === id)?.defaults ?? NO_DEFAULTS
  let collector = createSampleCollector([])
  let written = 0
  /** Comes with the first packets: of bytes that turn out to be nothing of ours, there is nothing. */
  let head: Buffer | undefined = writer.head()
  for await (const chunk of chunks)
    for (const part of splitter.push(chunk)) {
      if (part.type === 'moof') {
        collector = createSampleCollector(placesIn(part.box.subarray(8), tracks, defaultsOf))
        continue
      }
      for (const { track, sample, bytes } of collector.push(part.bytes, part.at)) {
        const packets = writer.write(track, sample, bytes)
        if (packets) yield head ? Buffer.concat([head, packets]) : packets
        if (packets) head = undefined
        written += bytes.length
        if (written < TURN_BYTES) continue
        written = 0
        await setImmediate()
      }
    }
}

interface PlacedSample {
  readonly track: TsTrack
  readonly sample: Sample
}

/** In the order in which their bytes come. */
function placesIn(
  moof: Buffer,
  { video, audio }: TsTracks,
  defaultsOf: Parameters<typeof samplesIn>[1],
): PlacedSample[] {
  const fragments = samplesIn(moof, defaultsOf)
  if (!fragments) throw new FragmentFault('a fragment that cannot be read')
  const placed = fragments.flatMap(({ trackId, samples }) => {
    const track = [video, audio].find((known) => known?.id === trackId)
    // Nothing to send, however many a broken file has.
    return track ? samples.filter(({ size }) => size > 0).map((sample) => ({ track, sample })) : []
  })
  if (placed.some(({ sample }) => sample.size > MAX_SAMPLE_BYTES))
    throw new FragmentFault('a picture that is too large')
  return placed.toSorted((a, b) => a.sample.at - b.sample.at)
}

/** Puts samples together of bytes that come in chunks; what belongs to none is skipped. */
function createSampleCollector(samples: readonly PlacedSample[]) {
  let next = 0
  let held: Buffer[] = []
  let heldBytes = 0

  return {
    *push(bytes: Buffer, at: number): Generator<PlacedSample & { readonly bytes: Buffer }> {
      for (let placed = samples[next]; placed; placed = samples[next]) {
        const { at: start, size } = placed.sample
        const from = start + heldBytes - at
        if (from < 0) throw new FragmentFault('samples that overlap')
        if (from >= bytes.length && size > heldBytes) return
        const taken = bytes.subarray(from, from + size - heldBytes)
        held.push(taken)
        heldBytes += taken.length
        if (heldBytes < size) return
        yield { ...placed, bytes: held.length === 1 ? held[0]! : Buffer.concat(held) }
        ;[held, heldBytes] = [[], 0]
        next++
      }
    },
  }
}

function createStreamWriter({ video, audio }: TsTracks, baseMs: number) {
  const writers = { video: createPacketWriter(VIDEO_PID), audio: createPacketWriter(AUDIO_PID) }

  return {
    head: () =>
      Buffer.concat([
        createPacketWriter(PAT_PID).write(programAssociation()),
        createPacketWriter(PMT_PID).write(programMap(video.codec, audio?.codec)),
      ]),
    write(track: TsTrack, sample: Sample, bytes: Buffer): Buffer | undefined {
      const elementary = track.toElementary(sample, bytes)
      if (!elementary) return undefined
      const toTicks = (ticks: number) =>
        Math.max(0, Math.round((ticks * 1000 * TICKS_PER_MS) / track.timescale) + baseMs * TICKS_PER_MS)
      const times = { shownAt: toTicks(sample.shownAt), decodedAt: toTicks(sample.decodedAt) }
      if (track !== video) return writers.audio.write(pesPacket(AUDIO_STREAM, times, elementary))
      const pcr = Math.max(0, times.decodedAt - DECODER_DELAY_MS * TICKS_PER_MS)
      return writers.video.write(pesPacket(VIDEO_STREAM, times, elementary), { isRandomAccess: sample.isSync, pcr })
    },
  }
}

import { type RecordingRecord } from '@aerie/client'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { isH265 } from '../codec.ts'
import { Notice } from '../frame/notice.tsx'
import { root } from '../service.ts'
import { sizeWords } from '../size-words.ts'

export interface RecordingPlayerProps {
  readonly recording: RecordingRecord
  /** Of the source's video; undefined where nothing is known of it. */
  readonly codec: string | undefined
  /** All that is known of has been played; there may be more by now. */
  readonly onOutrun: () => Promise<void>
}

type Segment = RecordingRecord['segments'][number]

/** Plays a recording from any of its files on; the next follows by itself. */
export function RecordingPlayer({ recording, codec, onOutrun }: RecordingPlayerProps) {
  const segments = recording.segments.filter(isPlayable)
  /** Links are made anew with every list, so a file is known by its start; old ones may have been removed since. */
  const from = useSignal('')
  const playing = useSignal<Segment | undefined>(undefined)
  const isOutrun = useSignal(false)
  const isUnplayable = useSignal(false)
  const index = Math.max(
    0,
    segments.findIndex(({ start }) => start >= from.value),
  )
  const shown = segments[index]
  const next = segments.find(({ start }) => start > from.value)
  useEffect(() => {
    if (isOutrun.value && next) play(next)
  }, [isOutrun.value, next?.start])
  if (!shown)
    return <p>{recording.ended_at === null ? 'Its first file is still being written.' : 'Its files cannot be read.'}</p>

  function play(segment: Segment): void {
    isOutrun.value = false
    isUnplayable.value = false
    from.value = segment.start
    playing.value = segment
  }
  function moveTo(segment: Segment): void {
    if (playing.value) play(segment)
    else from.value = segment.start
  }
  /** The link may have expired while it played: it is tried once with the one of the last list. */
  function onError(): void {
    const { start, download_url } = playing.value!
    const fresh = segments.find((segment) => segment.start === start)
    if (fresh && fresh.download_url !== download_url) playing.value = fresh
    else isUnplayable.value = true
  }
  function playNext(): void {
    if (next) return play(next)
    isOutrun.value = true
    void onOutrun()
  }

  return (
    <>
      <label>
        {new Date(shown.start).toLocaleString()}
        <input
          type="range"
          min={0}
          max={segments.length - 1}
          value={index}
          aria-label="Where it plays from"
          aria-valuetext={new Date(shown.start).toLocaleString()}
          onChange={(event) => moveTo(segments[Number(event.currentTarget.value)]!)}
        />
      </label>
      <Notice sentence={isUnplayable.value ? unplayable(codec) : ''} />
      {playing.value ? (
        // Keeps its address while it plays: the new one of every list would start the video over.
        <video
          key={playing.value.start}
          src={fromHere(playing.value.download_url)}
          controls
          autoplay
          muted
          playsInline
          hidden={isUnplayable.value}
          onEnded={playNext}
          onError={onError}
          // Of a file with sound some browsers play that alone, and call it no error.
          onLoadedMetadata={({ currentTarget }) => (isUnplayable.value = currentTarget.videoWidth === 0)}
          aria-label={`Recording from ${playing.value.start}`}
        />
      ) : (
        <div class="actions">
          <button type="button" onClick={() => play(shown)}>
            ▶ Play
          </button>
        </div>
      )}
      <p>
        <a href={fromHere(shown.download_url)} download>
          Download this part
        </a>{' '}
        <span class="figures">{sizeWords(shown.size_bytes)}</span>
      </p>
    </>
  )
}

function unplayable(codec: string | undefined): string {
  const why = isH265(codec) ? ' (its video is H.265)' : ''
  return `This browser can’t play this recording${why}; download it.`
}

/** By the address at which this page is, which may be another than the public one: the page's policy lets no other in. */
const fromHere = (address: string) => root + address.slice(address.indexOf('/sources/recordings/'))

/** A file that is still being written grows under the player. */
const isPlayable = ({ duration_seconds }: Segment) => duration_seconds !== null

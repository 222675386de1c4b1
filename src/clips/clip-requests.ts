import { type Account } from '../core/account.ts'
import { type Clock, toZulu } from '../core/clock.ts'
import { AppError } from '../core/errors.ts'
import { type Stretch } from '../core/recorded-time.ts'
import { type SourceRight, type SourceRights } from '../core/source-rights.ts'
import { type ClipOrder } from './clip.ts'
import { type ClipSource, type ClipSubject, type ClipSubjectStore } from './clip-subjects.store.ts'
import { type NewClip } from './clips.schema.ts'

export interface ClipRequestDeps {
  readonly subjects: ClipSubjectStore
  readonly rights: Pick<SourceRights, 'ownerFor' | 'ownerForProcess'>
  /** What was seen last of a process, written down. */
  readonly flushTracks: (processId: string) => Promise<void>
  readonly clock: Pick<Clock, 'now'>
}

/** What is asked for, before anybody has looked whether it was recorded. */
export type WantedClip = Omit<ClipOrder, 'accountId' | 'kind' | 'uniqueKey'> & { readonly sourceAlias: string }

export interface ClipRequests {
  /** Throws where it is of nothing that the caller may see, or of a time that no clip can have. */
  resolve(caller: Account, request: NewClip): Promise<WantedClip>
  /** Of a link, which stands for the right to it. At most as long as a clip may be. */
  ofTrack(processId: string, trackId: number): Promise<LinkedClip>
  ofEvent(eventId: string): Promise<LinkedClip>
}

export interface LinkedClip extends WantedClip {
  readonly ownerId: string
}

const MAX_CLIP_MS = 3_600_000
const MAX_AHEAD_MS = 60_000
const AROUND_TRACK_MS = 2_000
const AROUND_EVENT_MS = 10_000

export function createClipRequests({ subjects, rights, flushTracks, clock }: ClipRequestDeps): ClipRequests {
  async function findSource(id: string): Promise<ClipSource> {
    const source = await subjects.findSource(id)
    if (!source) throw new AppError('source-not-found', { source_uuid: id })
    return source
  }

  async function findTrack(processId: string, trackId: number): Promise<ClipSubject> {
    await flushTracks(processId)
    const track = await subjects.findTrack(processId, trackId)
    if (!track) throw trackNotFound(processId, trackId)
    return track
  }

  async function wantedOf(sourceId: string, stretch: Stretch, of: Partial<WantedClip>): Promise<WantedClip> {
    const { alias: sourceAlias } = await findSource(sourceId)
    const alias = of.alias ?? `${sourceAlias} ${toZulu(stretch.from).slice(0, 19)}Z`
    const { from, to } = stretch
    const nothing = { processId: null, trackId: null, eventId: null, withBoxes: false }
    return { ...nothing, ...of, sourceId, sourceAlias, from, to, alias: alias.slice(0, 200) }
  }

  /** Throws where the caller may not do all of it with what is the owner's. */
  async function checkRights(
    ownerWith: (right: SourceRight) => Promise<Account>,
    needed: readonly SourceRight[],
    ownerId: string | undefined,
    notFound: () => AppError,
  ): Promise<void> {
    for (const right of needed) if ((await ownerWith(right)).id !== ownerId) throw notFound()
  }

  async function ofSource(caller: Account, request: Extract<NewClip, { source_uuid: string }>): Promise<WantedClip> {
    const { source_uuid: sourceId, from, to, with_boxes: withBoxes, alias } = request
    const source = await subjects.findSource(sourceId)
    const ownerWith = (right: SourceRight) => rights.ownerFor(caller, sourceId, right)
    const notFound = () => new AppError('source-not-found', { source_uuid: sourceId })
    await checkRights(ownerWith, withBoxes ? ['watch', 'events'] : ['watch'], source?.accountId, notFound)
    return wantedOf(sourceId, { from, to }, { withBoxes, ...(alias !== undefined && { alias }) })
  }

  async function ofProcess(caller: Account, request: Extract<NewClip, { process_uuid: string }>): Promise<WantedClip> {
    const { process_uuid: processId, with_boxes: withBoxes, alias } = request
    const process = await subjects.findProcess(processId)
    const isOfTrack = 'track_id' in request
    const ownerWith = (right: SourceRight) => rights.ownerForProcess(caller, processId, right)
    const notFound = () => new AppError('process-not-found', { process_uuid: processId })
    const needed: SourceRight[] = withBoxes || isOfTrack ? ['watch', 'events'] : ['watch']
    await checkRights(ownerWith, needed, process?.accountId, notFound)
    const named = alias !== undefined && { alias }
    if (!isOfTrack) {
      const stretch = { from: request.from ?? process!.from, to: request.to ?? process!.to ?? clock.now() }
      return wantedOf(process!.sourceId, stretch, { processId, withBoxes, ...named })
    }
    const { track_id: trackId } = request
    const stretch = around(await findTrack(processId, trackId), AROUND_TRACK_MS)
    return wantedOf(process!.sourceId, stretch, { processId, trackId, withBoxes, ...named })
  }

  async function ofEventOf(caller: Account, request: Extract<NewClip, { event_uuid: string }>): Promise<WantedClip> {
    const { event_uuid: eventId, with_boxes: withBoxes, alias } = request
    const event = await subjects.findEvent(eventId)
    if (!event) throw eventNotFound(eventId)
    const ownerWith = (right: SourceRight) => rights.ownerFor(caller, event.sourceId, right)
    await checkRights(ownerWith, ['watch', 'events'], event.accountId, () => eventNotFound(eventId))
    const of = { processId: event.processId, eventId, withBoxes, ...(alias !== undefined && { alias }) }
    return wantedOf(event.sourceId, around(event, AROUND_EVENT_MS), of)
  }

  return {
    async resolve(caller, request) {
      const wanted = await ('source_uuid' in request
        ? ofSource(caller, request)
        : 'event_uuid' in request
          ? ofEventOf(caller, request)
          : ofProcess(caller, request))
      checkStretch(wanted, clock.now())
      return wanted
    },
    async ofTrack(processId, trackId) {
      const track = await findTrack(processId, trackId)
      const wanted = await wantedOf(track.sourceId, within(around(track, AROUND_TRACK_MS)), { processId, trackId })
      return { ...wanted, ownerId: track.accountId }
    },
    async ofEvent(eventId) {
      const event = await subjects.findEvent(eventId)
      if (!event) throw eventNotFound(eventId)
      const { processId, sourceId, accountId } = event
      const wanted = await wantedOf(sourceId, within(around(event, AROUND_EVENT_MS)), { processId, eventId })
      return { ...wanted, ownerId: accountId }
    },
  }
}

const trackNotFound = (processId: string, trackId: number) =>
  new AppError('track-not-found', { process_uuid: processId, track_id: trackId })
const eventNotFound = (eventId: string) => new AppError('alert-event-not-found', { event_uuid: eventId })

const around = ({ from, to }: { from: number; to: number | null }, ms: number): Stretch => ({
  from: from - ms,
  to: (to ?? from) + ms,
})

const within = ({ from, to }: Stretch): Stretch => ({ from, to: Math.min(to, from + MAX_CLIP_MS) })

function checkStretch({ from, to }: Stretch, now: number): void {
  const refuse = (message: string) => {
    throw new AppError('input-invalid', {}, { errors: [{ path: 'body.to', message }] })
  }
  if (to <= from) refuse('`to` must be later than `from`.')
  if (to - from > MAX_CLIP_MS) refuse('A clip is at most an hour long: make several.')
  if (to > now + MAX_AHEAD_MS) refuse('It is not recorded yet; `to` may be at most a minute ahead.')
}

import { type Setup } from './alert.ts'
import { type AlertEvent } from './analyses/analysis.ts'

interface NamedTrack {
  readonly track_id?: unknown
  readonly class_name?: unknown
}

/** The tracks that an event names, the oldest first; without tracking all have the id 0. */
export function tracksNamedIn({ data }: Pick<AlertEvent, 'data'>): readonly NamedTrack[] {
  if (Array.isArray(data['tracks'])) return data['tracks'] as NamedTrack[]
  return typeof data['track'] === 'object' && data['track'] !== null ? [data['track']] : []
}

/** The classes of what an event is about: of the tracks that it names, else those that its alert looks for; null for any. */
export function classesOfEvent({ filter }: Pick<Setup, 'filter'>, event: Pick<AlertEvent, 'data'>): string[] | null {
  const named = tracksNamedIn(event).flatMap(({ class_name: name }) => (typeof name === 'string' ? [name] : []))
  if (named.length > 0) return [...new Set(named)]
  return filter.classes ? [...new Set(filter.classes)] : null
}

/** Whom an event is about, each once; none without tracking. */
export function trackIdsOfEvent(event: Pick<AlertEvent, 'data' | 'trackId'>): number[] {
  const named = tracksNamedIn(event).flatMap(({ track_id: id }) => (typeof id === 'number' ? [id] : []))
  return [...new Set(named.length > 0 ? named : [event.trackId ?? 0])].filter((id) => id > 0)
}

/** As much of a `filter-search` notification as its line needs. */
export interface AlertNotification {
  readonly data: { readonly tracks: readonly NamedTrack[]; readonly more: number }
}

/** As much of a webhook for `new-tracks` in the format `full`. */
export interface TracksNotification {
  readonly detections: readonly NamedTrack[]
}

interface NamedTrack {
  readonly track_id: number
  readonly class_name: string
}

const MAX_NAMED = 8

/** `alert: 3 persons found, tracks 4, 5, 9` */
export function alertLine({ data: { tracks, more } }: AlertNotification): string {
  const counts = [...byClass(tracks)].map(([name, ids]) => `${ids.length} ${name}${ids.length === 1 ? '' : 's'}`)
  const rest = more > 0 ? ` and ${more} more` : ''
  return `alert: ${counts.join(', ')}${rest} found, ${tracksOf(tracks.map(({ track_id }) => track_id))}`
}

/** `webhook: new track 7, person` */
export function webhookLine({ detections }: TracksNotification): string {
  const parts = [...byClass(detections)].map(([name, ids]) => `new ${tracksOf(ids)}, ${name}`)
  return `webhook: ${parts.join('; ')}`
}

function byClass(tracks: readonly NamedTrack[]): Map<string, number[]> {
  const ids = new Map<string, number[]>()
  for (const { class_name, track_id } of tracks) ids.set(class_name, [...(ids.get(class_name) ?? []), track_id])
  return ids
}

function tracksOf(ids: readonly number[]): string {
  const named = ids.slice(0, MAX_NAMED).join(', ')
  return `${ids.length === 1 ? 'track' : 'tracks'} ${named}${ids.length > MAX_NAMED ? ' …' : ''}`
}

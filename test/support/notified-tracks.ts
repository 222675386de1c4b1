import { type HttpReceiver } from './http-receiver.ts'

/** The ids of tracks in `new-tracks` notifications, in order. What comes again comes with the same id of the notification, and counts once. */
export function notifiedTracks(receiver: HttpReceiver, path: string): number[] {
  const first = new Map<unknown, string>()
  for (const { path: at, headers, body } of receiver.calls)
    if (at === path && !first.has(headers['webhook-id'])) first.set(headers['webhook-id'], body)
  return [...first.values()].flatMap((body) => (JSON.parse(body) as TrackMessage).detections.map(({ id }) => id))
}

interface TrackMessage {
  readonly detections: readonly { readonly id: number }[]
}

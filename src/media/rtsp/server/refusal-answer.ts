import { type MediaRefusal, type RefusalReason } from '../../refusal.ts'
import { type Answer, RtspFailure, type Status } from '../wire/message.ts'

/**
 * The hub's reasons in RTSP's numbers. A path in use is 409, as in HTTP: RFC 2326 has none of its own, and clients take
 * an unknown 4xx as a failure that may pass. ffmpeg would call 403 "access denied" and people would look for the fault in
 * their password; GStreamer takes 405, 406 and 501 as "leave this method out" and goes on as if nothing had happened.
 */
const statusOfRefusal: Record<RefusalReason, Status> = {
  'credentials-needed': 401,
  'credentials-wrong': 401,
  forbidden: 403,
  'path-invalid': 400,
  'path-in-use': 409,
  'not-live': 404,
  'camera-lost': 502,
  'camera-unreadable': 415,
  'too-many-readers': 453,
  'limit-reached': 403,
  unavailable: 503,
}

/** The sentence is the phrase of the answer, but where clients only ask their user for a password. */
export function toFailure({ reason, message }: MediaRefusal, headers?: Answer['headers']): RtspFailure {
  const status = statusOfRefusal[reason]
  return new RtspFailure(status, message, headers, status === 401 ? undefined : message)
}

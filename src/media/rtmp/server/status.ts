import { MediaRefusal, type RefusalReason } from '../../refusal.ts'
import { writeCommand } from '../wire/command.ts'

/** What a command was refused with, in RTMP's words. */
export interface StatusError {
  readonly code: string
  readonly description: string
  /** The client gets no details of it. */
  readonly isServerFailure: boolean
}

const PUBLISH_CODES: Readonly<Record<RefusalReason, string>> = {
  'credentials-needed': 'NetStream.Publish.Denied',
  'credentials-wrong': 'NetStream.Publish.Denied',
  forbidden: 'NetStream.Publish.Denied',
  'path-invalid': 'NetStream.Publish.BadName',
  'path-in-use': 'NetStream.Publish.BadName',
  'not-live': 'NetStream.Publish.BadName',
  'camera-lost': 'NetStream.Publish.BadName',
  'camera-unreadable': 'NetStream.Publish.BadName',
  'too-many-readers': 'NetStream.Publish.Denied',
  'limit-reached': 'NetStream.Publish.Denied',
  unavailable: 'NetStream.Publish.Denied',
}

const PLAY_CODES: Readonly<Record<RefusalReason, string>> = {
  'credentials-needed': 'NetStream.Play.Failed',
  'credentials-wrong': 'NetStream.Play.Failed',
  forbidden: 'NetStream.Play.Failed',
  'path-invalid': 'NetStream.Play.StreamNotFound',
  'path-in-use': 'NetStream.Play.Failed',
  'not-live': 'NetStream.Play.StreamNotFound',
  'camera-lost': 'NetStream.Play.StreamNotFound',
  'camera-unreadable': 'NetStream.Play.StreamNotFound',
  'too-many-readers': 'NetStream.Play.Failed',
  'limit-reached': 'NetStream.Play.Failed',
  unavailable: 'NetStream.Play.Failed',
}

export function toStatusError(action: 'publish' | 'play', error: unknown): StatusError {
  const codes = action === 'publish' ? PUBLISH_CODES : PLAY_CODES
  if (error instanceof MediaRefusal)
    return { code: codes[error.reason], description: error.message, isServerFailure: false }
  return { code: codes.unavailable, description: 'The media server has a problem; try again.', isServerFailure: true }
}

/** `onStatus` of a message stream (RTMP 1.0 §7.2.2). */
export function onStatus(streamId: number, level: 'status' | 'error', code: string, description: string): Buffer {
  return writeCommand(streamId, 'onStatus', 0, null, { level, code, description })
}

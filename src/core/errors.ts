/**
 * Every failure a caller can act on: its status and the sentence that says what to do. `docs/errors.md` is generated from it.
 * Numbers stand where no plural follows them, since they may be 1.
 */
const table = {
  'offer-invalid': [400, 'This is not an SDP offer that can be answered: {reason}'],
  'json-unparsable': [400, 'The body is not valid JSON: {reason}'],
  'request-malformed': [400, 'The request could not be understood: {reason}'],
  'no-websocket': [400, 'There is no websocket at {path}; ask for it by plain HTTP.'],
  'source-not-live': [400, 'The source is not sending video: {reason} Start its stream and try again.'],
  'api-key-missing': [
    403,
    'Send your API key in the header api_key, or as Authorization: Bearer; where there are no headers, as the query parameter api_key.',
  ],
  'api-key-invalid': [
    403,
    'This API key is not known here; check it, or ask the owner of the master key for a new one.',
  ],
  'api-key-expired': [403, 'This API key expired on {expiration_date}; ask the owner of the master key to extend it.'],
  'session-ended': [403, 'This session is over; sign in again.'],
  'sign-in-code-invalid': [
    403,
    'This sign-in link was used already, or is too old; make a new one, or sign in with your key.',
  ],
  'cross-origin-request': [
    403,
    'A page of another address than this service’s own asked for this, which only its own pages may. Behind a proxy: let it pass Host, or have the operator set AERIE_PUBLIC_URL.',
  ],
  'https-required': [
    403,
    'This is the unencrypted port, which takes no keys, tokens and bodies: call {address} instead. What has been sent here could be read on its way; replace a key that others may have seen.',
  ],
  'master-key-required': [403, 'Only a master key may do this.'],
  'operator-key-required': [
    403,
    'Only the key of admin may do this, since it befalls all keys; whoever runs the service may also use `aerie nodes`.',
  ],
  'metrics-token-required': [
    403,
    'Send AERIE_METRICS_TOKEN of the service as Authorization: Bearer, or the key of admin.',
  ],
  'key-limit-reached': [403, 'This master key has as many child keys as it may ({limit}); revoke one first.'],
  'source-limit-reached': [403, 'This key has as many sources as it may ({limit}); remove one first.'],
  'published-stream-limit-reached': [
    403,
    'As many streams are being published as the key of {username} allows (max_sources: {limit}); stop one first.',
  ],
  'hls-stream-limit-reached': [
    403,
    'As many streams are being watched by HLS as the key of {username} allows (max_hls_streams: {limit}); close one first, or watch by WebRTC.',
  ],
  'webrtc-session-limit-reached': [
    403,
    'There are as many WebRTC sessions as the key of {username} allows (max_webrtc_sessions: {limit}); close one first, or watch by HLS.',
  ],
  'reader-limit-reached': [
    403,
    'As many read by RTSP and RTMP as the key of {username} allows (max_readers: {limit}); end one first, or watch by HLS or WebRTC.',
  ],
  'process-limit-reached': [403, 'This key has as many processes at once as it may ({limit}); stop one first.'],
  'usage-limit-reached': [403, 'This key has no minutes left; ask the owner of the master key for more.'],
  'machine-full': [503, '{reason}'],
  'feed-viewer-limit-reached': [403, 'Up to {limit} may look at one feed; attach an output and watch that.'],
  'event-client-limit-reached': [403, 'As many clients listen to this process as may ({limit}); close one first.'],
  'output-limit-reached': [403, 'This key has as many outputs as it may ({limit}); remove one first.'],
  'attached-output-limit-reached': [
    403,
    'This process has as many outputs as the key allows ({limit}); detach one first.',
  ],
  'enhancement-disabled': [403, 'This key may not enhance reports; ask the owner of the master key for it.'],
  'subscription-limit-reached': [403, 'This process has as many subscriptions as it may ({limit}); remove one first.'],
  'alert-limit-reached': [403, 'This key has as many registered alerts as it may ({limit}); delete one first.'],
  'active-alert-limit-reached': [
    403,
    'As many alerts are active at one process as may be ({limit}); deactivate or delete one first.',
  ],
  'preference-limit-reached': [
    403,
    'A key has used up its number of preferences ({limit}); send null for one that is not used any more.',
  ],
  'clip-limit-reached': [
    403,
    'This key has as many clips as it may ({limit}); delete some, or wait for those that are being cut.',
  ],
  'evidence-limit-reached': [
    403,
    'This key has as many packages of evidence under way as it may ({limit}); wait for one to end.',
  ],
  'contact-limit-reached': [403, 'This key has as many contacts as it may ({limit}); delete one first.'],
  'device-limit-reached': [403, 'This contact has as many devices as it may ({limit}); remove one first.'],
  'right-missing': [
    403,
    'This key has rights on this source, but not the right {right}; ask the owner of the master key for it.',
  ],
  'not-found': [404, 'There is nothing at {method} {path}; {instead}'],
  'key-not-found': [404, 'There is no key with the username {username}.'],
  'source-not-found': [404, 'There is no source {source_uuid}.'],
  'source-file-missing': [404, 'The file of source {source_uuid} is no longer on this machine; upload it again.'],
  'process-not-found': [404, 'There is no process {process_uuid}.'],
  'output-not-found': [404, 'There is no output {output_uuid}.'],
  'report-not-found': [
    404,
    'There is no track report of a process {process_uuid}: reports are kept for keys that have the track logger when a process starts, until they are deleted or past their retention.',
  ],
  'enhancement-not-found': [
    404,
    'The report of the process {process_uuid} has not been enhanced; POST /decorate_tracks/{process_uuid} does it.',
  ],
  'subscription-not-found': [404, 'The process {process_uuid} has no such subscription.'],
  'delivery-not-found': [404, 'There is no delivery {webhook_id} for this process, or it is no longer kept.'],
  'alert-not-found': [404, 'There is no alert {alert_uuid}.'],
  'node-not-found': [404, 'There is no node {node}; there are: {nodes}.'],
  'source-right-not-found': [404, 'The key of {username} has been given no rights on the source {source_uuid}.'],
  'nothing-recorded': [
    404,
    'Nothing of {alias} was recorded between {from} and {to}; GET /source/{source_uuid}/timeline says what is.',
  ],
  'track-not-found': [
    404,
    'There is no track {track_id} in the report of the process {process_uuid}, or it is past its retention.',
  ],
  'clip-not-found': [404, 'There is no clip {clip_uuid}.'],
  'alert-event-not-found': [404, 'There is no alert event {event_uuid}, or it is past its retention.'],
  'picture-not-found': [404, 'There is no picture of this: none was made, or it is past its retention.'],
  'contact-not-found': [404, 'There is no contact {contact_uuid}.'],
  'recording-not-found': [404, 'There is no such recording, or it is past its retention.'],
  'token-not-found': [404, 'There is no token {token_uuid} for this source.'],
  'link-expired': [
    403,
    'This link has expired, or is not for this file; ask again for the list that it is from, which has a new one.',
  ],
  'token-invalid': [403, 'This token is expired or revoked, or it is for another path or action; ask for a new one.'],
  'stream-not-found': [
    404,
    'There is no stream {path} for the key of {username}; use a path that begins with {username}/.',
  ],
  'stream-not-live': [404, 'Nothing is being published to {path} now; start its stream and try again.'],
  'camera-path-reserved': [
    409,
    '{path} is the path of a camera that the service itself fetches; publish to another path.',
  ],
  'preview-path-reserved': [
    403,
    '{path} is the preview of another stream, which the service makes; choose another path.',
  ],
  'preview-unavailable': [
    404,
    'There is no preview {path} now: no running process reads that stream, or no picture has come yet; watch the stream itself.',
  ],
  'webrtc-session-not-found': [404, 'There is no such WebRTC session, or it has ended; send a new offer.'],
  'trickle-unsupported': [
    405,
    'Candidates are not taken one by one: send an offer with them, or with none; ours are all in the answer.',
  ],
  'viewing-expired': [403, 'This viewing is over; load the stream’s index.m3u8 again with your key or read token.'],
  'segment-not-found': [404, 'This piece of {path} is no longer kept, or not there yet; load the playlist again.'],
  'method-not-allowed': [405, '{path} does not take {method}, but {allow}; see /docs for what each does.'],
  'request-timeout': [408, 'The request took too long to arrive; send it again.'],
  'username-taken': [409, 'The username {username} is taken; choose another{purge}.'],
  'unlimited-not-allowed': [
    403,
    'Only keys of an unlimited master can be unlimited; give a number of minutes, or have the operator make the master unlimited (`aerie keys grant MASTER unlimited`).',
  ],
  'minutes-not-pending': [
    409,
    'So many minutes are not pending, only {pending_minutes}; allocate fewer, or have the operator grant more.',
  ],
  'own-key-not-changeable': [
    409,
    'This is your own key, and a key cannot change itself. Ask whoever runs the service for `aerie keys update {username}`, or for `aerie keys rotate {username}`, which replaces it.',
  ],
  'own-key-not-revocable': [
    409,
    'A key cannot revoke itself. Ask whoever runs the service for `aerie keys rotate {username}`, which replaces it, or `aerie keys revoke {username}`.',
  ],
  'source-in-use': [409, 'A process is running on this source; stop it first.'],
  'process-not-live': [409, 'The process {process_uuid} is {state}; start a new one.'],
  'process-not-ended': [
    409,
    'The process {process_uuid} is {state}; its report can be enhanced once the process has ended.',
  ],
  'output-attached': [409, 'This output is attached to the process {process_uuid}; detach it there first.'],
  'output-not-attached': [409, 'This output is not attached to the process {process_uuid}.'],
  'node-alive': [
    409,
    'The node {node} runs, and only a dead one can be forgotten; drain it if it has something to do, and stop it first.',
  ],
  'node-silent': [
    409,
    'The node {node} has not been heard of since its lease ended, and is not declared dead yet; try again in a minute. That needs another node that runs.',
  ],
  'node-alone': [
    409,
    'This service has one node, and nobody could take over what it does; docs/several-machines.md says how to add a second.',
  ],
  'source-exists': [409, 'You have another source with just this alias, address and telemetry; use that one.'],
  'path-in-use': [409, '{path} is taken by {holder}; choose another path.'],
  'expiration-date-past': [
    422,
    'A key cannot expire on {expiration_date}, which is over in UTC; give a later day, or revoke the key to end it now.',
  ],
  'output-path-too-long': [422, 'With your username before it this path has more than 200 letters; shorten it.'],
  'subscription-exists': [
    409,
    'This url is subscribed to {event_type} of this process already; remove that subscription first.',
  ],
  'clip-not-ready': [409, 'The clip {clip_uuid} is {state}; wait until it is ready.'],
  'clip-failed': [409, 'The clip could not be made: {reason}'],
  'contact-in-use': [409, 'These alerts notify the contact: {aliases}; take it out of them first.'],
  'delivery-not-resendable': [
    409,
    'The delivery {webhook_id} is {state}; dead ones can be sent again, and delivered ones of up to 64 kB.',
  ],
  'telemetry-not-configured': [
    409,
    'The source of this process has no telemetry of {type}; register it with a telemetry_cfg, and start a new process.',
  ],
  'geolocation-not-configured': [
    409,
    'This alert needs places on the ground, and the process {process_uuid} has none: {reason}',
  ],
  'client-connected': [
    409,
    'Somebody is connected to this websocket already, and it is for one client at a time; close that first.{instead}',
  ],
  'source-not-published-here': [409, 'Tokens are for streams on this media server; a file is not one.'],
  'probe-under-way': [409, 'A look at an address of yours is under way; wait for it to end.'],
  'upload-limit-reached': [403, 'This key has as many uploads under way as it may ({limit}); wait for one to end.'],
  'token-limit-reached': [403, 'This source has as many tokens as it may ({limit}); revoke one first.'],
  'stream-path-in-use': [409, 'Somebody else is publishing to {path}; stop that first, or choose another path.'],
  'video-too-large': [413, 'A video may have at most {limit_bytes} bytes.'],
  'video-storage-full': [
    413,
    'Your videos would take more than the {limit_bytes} bytes that this key allows; remove some first.',
  ],
  'disk-share-used-up': [
    413,
    'What this key keeps (videos, pictures of reports) would take more than its share of the disk, {share_bytes} bytes; remove videos or reports, or have the operator raise AERIE_DISK_BUDGET.',
  ],
  'file-being-fetched': [
    503,
    'The file is in the object store, and is being fetched from there: {percent} % of its {size_bytes} bytes are here. Try again in {retry_after_seconds} s.',
  ],
  'object-store-unusable': [
    503,
    'The file is in the object store, which does not give it now: {reason} Try again later.',
  ],
  'disk-full': [
    413,
    'There is no room left on the disk of this service; remove videos or recordings, or have its operator make room on it.',
  ],
  'preference-too-large': [
    413,
    'The preference {name} has {size_bytes} bytes as JSON; one may have at most {limit_bytes}.',
  ],
  'body-too-large': [413, 'The body is larger than the {limit_bytes} bytes that are accepted here.'],
  'media-type-unsupported': [415, 'This endpoint does not take {media_type}; send {wanted}.'],
  'webrtc-cannot-carry': [415, '{reason} Watch it by HLS at {hls_url}.'],
  'video-type-unsupported': [415, 'A video file is .mp4, .mov or .avi; {file_name} is not.'],
  'video-unreadable': [422, '{file_name} is not a video that can be decoded: {reason}'],
  'upload-incomplete': [422, 'The upload ended before the file did; send it again.'],
  'precondition-failed': [
    412,
    'The file is another one than your If-Match or If-Unmodified-Since names; load it anew.',
  ],
  'range-not-satisfiable': [416, 'The file ends before this range begins; Content-Range tells how long it is.'],
  'host-unknown': [
    421,
    'This service is not known as {host}; use its IP address, or have its operator list the name in AERIE_HOSTS.',
  ],
  'input-invalid': [422, 'Some of the input is not acceptable; `errors` lists each place.'],
  'websocket-required': [426, 'This is a websocket; connect with a websocket client.'],
  'too-many-attempts': [429, 'Too many wrong keys or codes came from your address; wait {retry_after_seconds} s.'],
  'too-many-tests': [
    429,
    'Contacts are tested one at a time, and up to {limit} in a minute; try again in {retry_after_seconds} s.',
  ],
  'detection-streams-used-up': [
    429,
    'So many recorded detections are being sent for this key that there is no room for more at once; try again when some of them have been read to the end, or in {retry_after_seconds} s.',
  ],
  'header-too-large': [431, 'The request headers are too large.'],
  internal: [500, 'Something went wrong in the service; its log has the details under request id {request_id}.'],
  'source-unreadable': [503, 'The video cannot be processed: {reason}'],
  'model-unusable': [503, 'The model cannot be used: {reason}'],
  'pipeline-failed': [503, 'The process could not be started: {reason} Try again, or look into the log.'],
  'enhancement-unavailable': [503, 'Reports cannot be enhanced now: {reason}'],
  'prober-busy': [
    503,
    'Too many videos are waiting to be looked at; try again in {retry_after_seconds} s, fewer at a time.',
  ],
  'prober-killed': [
    503,
    'The look at the video was ended from outside; try again. If it comes again, this machine may be short of memory.',
  ],
  'webrtc-full': [503, 'As many browsers are connected as can be served; try again later, or watch by HLS.'],
  'webrtc-not-listening': [503, '{reason} Until then, watch by HLS.'],
  'webrtc-unavailable': [503, 'The WebRTC gateway is not there just now; try again in a moment.'],
  'stream-not-watchable': [503, '{path} cannot be shown: {reason} Try again in a moment.'],
  'node-unreachable': [
    503,
    'The node {node} of this service, which has what you ask for, cannot be reached just now; try again in {retry_after_seconds} s. If it stays so, tell the operator, whose log says why.',
  ],
  'no-node': [503, '{reason}'],
  'node-changing': [
    503,
    'What you ask for is just moving from one node of this service to another; try again in {retry_after_seconds} s.',
  ],
  'node-connections-used-up': [
    503,
    'So many of your requests are with other nodes of this service that there is no room for one more; end some of them, or try again in {retry_after_seconds} s.',
  ],
  'database-away': [
    503,
    'The database of this service cannot be reached just now; try again in a moment. If it stays so, tell its operator, whose log says why.',
  ],
  'process-moving': [503, 'The process {process_uuid} is moving to another node; try again in a moment.'],
  'shutting-down': [503, 'The service is stopping; try again in a moment.'],
} as const satisfies Record<string, readonly [status: number, message: string]>

export type ErrorCode = keyof typeof table

/** One place in the input that is wrong. */
export interface InputError {
  readonly path: string
  readonly message: string
}

export interface AppErrorOptions {
  readonly cause?: unknown
  /** For bad input: every wrong place, so that a caller mends all of them at once. */
  readonly errors?: readonly InputError[]
  /** Seconds after which trying again makes sense; becomes `Retry-After`. */
  readonly retryAfterSeconds?: number
}

/** A failure with a stable code. `params` fill the placeholders of the code's sentence. */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly status: number
  readonly errors: readonly InputError[] | undefined
  readonly retryAfterSeconds: number | undefined

  constructor(code: ErrorCode, params: Readonly<Record<string, unknown>> = {}, options: AppErrorOptions = {}) {
    const [status, message] = table[code]
    super(fillIn(message, params), { cause: options.cause })
    this.name = 'AppError'
    this.code = code
    this.status = status
    this.errors = options.errors
    this.retryAfterSeconds = options.retryAfterSeconds
  }
}

/** `api-key-invalid` → `Api key invalid`: the short, unchanging name of a kind of problem (RFC 9457 §3.1.3). */
export function titleOf(code: ErrorCode): string {
  const words = code.replaceAll('-', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** The table as rows, for the documentation. */
export function listErrors(): { code: ErrorCode; status: number; message: string }[] {
  return Object.entries(table).map(([code, [status, message]]) => ({ code: code as ErrorCode, status, message }))
}

function fillIn(message: string, params: Readonly<Record<string, unknown>>): string {
  return message.replace(/\{(\w+)\}/g, (placeholder, name: string) =>
    name in params ? String(params[name]) : placeholder,
  )
}

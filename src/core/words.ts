/**
 * The words of this project. Code, API, documentation and conversation use them the same way.
 *
 * account      who a key belongs to: a username with its rights, limits and minutes
 * session      a browser that has signed in with a key: a cookie in its place, until it ends or the key does
 * API key      the secret by which an account signs in; we keep only its hash
 * master key   the key of an account that may own child accounts and give them minutes
 * child key    the key of an account that belongs to a master: it may never do more, or for longer, than the master
 * minutes      the allowance for processing; counted in whole seconds inside, and used by the millisecond
 * ledger       the book of all minutes that came, moved and were used up; balances are sums over it
 * charge       one entry for use in the ledger: a meter with a name of its own that only counts up
 * pending      minutes that a master has bought but not yet given to a key
 * grant        minutes from outside: the operator adds them to an account, to use or pending
 * allocate     to give pending minutes of a master to one of its keys, or to itself
 * job          work that must be done even if the service dies meanwhile; it waits in the database
 * lease        the time for which one runner has a job to itself
 * dead letter  a job that failed for good and waits for a person
 * source       where video comes from: a stream or an uploaded file, registered by an account
 * path         the address of a stream on the media server: a username and a name, `pilot/front`
 * publisher    who sends a stream to a path; there is one at a time
 * reader       who receives the stream of a path
 * token        a secret that lets its bearer publish to, or read from, one source; or read from one output while it
 *              is attached
 * recording    what came from a source between its start and its end, kept until its retention is over
 * segment      one file of a recording
 * share        what an account may count on of the disk's budget; who exceeds it gives way when there is no room
 * process      a detection job: one source watched by one model, from its start to its end
 * pipeline     what a process does with every frame: source, decode, detect, track, and video out
 * supervisor   who keeps every process running that should, and knows which do
 * worker       a child process that does heavy work: a pipeline, a recording, HLS, WebRTC
 * frame        one moment of a video, as the source counts them
 * picture      a decoded frame on its way through the pipeline, or what is made of it to be looked at
 * model        a detector: weights and how its answers are to be read
 * tile         one piece of a picture that is looked at on its own, for small objects
 * detection    one object that a model saw in one picture
 * track        one object with an identity that survives from frame to frame
 * scene        what was seen in one frame of a process: the record that leaves the pipeline
 * report       what a process saw, track by track: kept for keys with the track logger, read for a window of time
 * sighting     one track in one frame, as a report keeps it
 * chunk        a piece of a track's history, so that a long one is written and read in parts
 * patch        the small picture by which a report shows a track; a crop is a larger one, for the enhancement
 * slot         a place for one crop of a track: a better picture of the same view takes it; a process slot is one of those at once
 * enhancement  finding out more about the tracks of a report from their pictures, after the process has ended
 * output       where results go, registered by an account and attached to one process at a time
 * rendition    the processed video at one resolution, shared by the outputs that want it so
 * sink         the end of a pipeline that takes a rendition to one output, or to a file
 * overlay      what is drawn into the processed picture: boxes, labels, trails, a notice
 * trail        the line that a track leaves behind in the overlay
 * notice       a sentence in the overlay about the video itself, as when its source is lost
 * feed         the processed picture as JPEGs, for quick looks
 * preview      a source's picture at 360 lines, with nothing drawn on it, for walls of many
 * channel      what a process sees as JSON messages, for those who listen to it now; in the outbox, what keeps its order
 * subscription who is told by HTTP of one kind of event of a process
 * notification what a subscriber, or an output of an alert, is told; an alert's are numbered for each alert and process
 * backoff      the least time between two notifications; what happens meanwhile is gathered
 * outbox       where messages to others wait until they have arrived
 * delivery     one message in the outbox: waiting, delivered, dead (not within a day) or dropped (too many waited)
 * telemetry    what is known of the camera and its carrier at a moment: place, direction, fields of view
 * sample       one telemetry message, understood
 * pose         the camera's place and direction
 * reduced      telemetry that has fields of view but not the whole pose: it gives directions and a distance, no place
 * foot point   the bottom centre of a box: where something that stands or drives touches the ground
 * terrain      heights of the ground, from files; without them the ground is level, as far below as telemetry says
 * alert        an analysis of what processes see, and who is told of it; registered for all, or one-off with one process
 * region       where something counts for an alert: a polygon in the picture or on the ground
 * happening    something that an analysis found in the scenes, and that is to be told in a notification
 * launch       the start of a pipeline; a relaunch starts it anew for the same process, and is no crash
 */

export interface Limits {
  /** Registered, and published at the same time. */
  readonly maxSources: number
  readonly maxOutputs: number
  /** Outputs attached to one process at the same time. */
  readonly maxAttachedOutputs: number
  /** Processes at the same time. */
  readonly maxProcesses: number
  /** Streams that are made into HLS at the same time. */
  readonly maxHlsStreams: number
  /** Of its streams, watching and publishing, at the same time. */
  readonly maxWebrtcSessions: number
  /** Of its streams by RTSP and RTMP at the same time. */
  readonly maxReaders: number
  readonly maxVideoUploadSizeBytes: number
  readonly totalStorageSizeBytes: number
}

export interface Features {
  readonly trackLogger: boolean
  readonly enhancement: boolean
  readonly processRecording: boolean
  readonly recordingRetentionDays: number
}

/** Who owns keys, minutes and video. Limits, features and expiry are what counts: never more than the master's. */
export interface Account {
  readonly id: string
  readonly username: string
  /** The master that this account belongs to; null for a master. */
  readonly masterId: string | null
  readonly limits: Limits
  readonly features: Features
  /** `YYYY-MM-DD`, the last day (UTC) on which the key works; null for ever. */
  readonly expirationDate: string | null
  readonly createdAt: number
}

/** The username of the master that the first start makes: the operator's own. */
export const FIRST_MASTER = 'admin'

export function isMaster(account: Pick<Account, 'masterId'>): boolean {
  return account.masterId === null
}

/** What is in an account's book, in seconds. */
export interface Balance {
  readonly remainingSeconds: number
  readonly consumedSeconds: number
  readonly pendingSeconds: number
}

import { dropOldest } from '../core/drop-oldest.ts'
import { type LivePublisher, type PublishedKind, type PublishedProcess } from '../core/live-publishing.ts'
import { type Log } from '../observe/log.ts'
import { type Metrics } from '../observe/metrics.ts'
import { type NatsBus } from './nats-bus.ts'
import { notificationSubject, sceneSubject } from './subjects.ts'

export interface PublicationsDeps {
  readonly kinds: readonly PublishedKind[]
  readonly bus: Pick<NatsBus, 'publish' | 'whenRoom'>
  /** Undefined for a key that was revoked. */
  readonly findUsername: (accountId: string) => Promise<string | undefined>
  /** Beyond its lease a node cannot know whether another has its processes. */
  readonly isWithinLease: () => boolean
  readonly metrics: Pick<Metrics, 'addGauge'>
  readonly log: Pick<Log, 'warn'>
}

interface Publication {
  readonly kind: PublishedKind
  readonly subjectOf: (username: string) => string
  readonly message: string
}

const MAX_KNOWN = 10_000
/** Of an account whose name is being looked up, which happens once. */
const MAX_HELD = 100

/**
 * What processes of this node see, for programs that are let listen on NATS: each account has subjects of its own. At most once: nothing
 * waits for NATS, and messages between nodes, which share its connection, have room when these have none.
 */
export function createPublications(deps: PublicationsDeps): LivePublisher {
  const { kinds, bus, findUsername, isWithinLease, metrics, log } = deps
  const totals = new Map(kinds.map((kind) => [kind, { sent: 0, dropped: 0 }]))
  const names = new Map<string, string>()
  /** By account, what waits for its name. */
  const held = new Map<string, Publication[]>()

  function send(username: string, { kind, subjectOf, message }: Publication): void {
    const hasRoom = isWithinLease() && bus.whenRoom() === undefined
    count(kind, hasRoom && bus.publish(subjectOf(username), Buffer.from(message)))
  }

  function count(kind: PublishedKind, isSent: boolean): void {
    totals.get(kind)![isSent ? 'sent' : 'dropped'] += 1
  }

  async function lookUp(accountId: string, waiting: readonly Publication[]): Promise<void> {
    let username: string | undefined
    try {
      username = await findUsername(accountId)
    } catch (error) {
      log.warn(
        { err: error, account_id: accountId },
        'what is to be published on NATS was lost: its account is not known',
      )
    }
    held.delete(accountId)
    if (username === undefined) return waiting.forEach(({ kind }) => count(kind, false))
    names.set(accountId, username)
    dropOldest(names, MAX_KNOWN)
    for (const publication of waiting) send(username, publication)
  }

  function publish({ accountId }: PublishedProcess, publication: Publication): void {
    const username = names.get(accountId)
    if (username !== undefined) return send(username, publication)
    const waiting = held.get(accountId)
    if (waiting && waiting.length >= MAX_HELD) return count(publication.kind, false)
    if (waiting) return void waiting.push(publication)
    const begun = [publication]
    held.set(accountId, begun)
    void lookUp(accountId, begun)
  }

  if (kinds.length > 0)
    metrics.addGauge({
      name: 'aerie_nats_published',
      help: 'Messages for programs that listen on NATS since the start, by kind and by whether they were sent.',
      labels: ['kind', 'outcome'],
      read: () =>
        [...totals].flatMap(([kind, outcomes]) =>
          Object.entries(outcomes).map(([outcome, value]) => ({ labels: { kind, outcome }, value })),
        ),
    })

  return {
    publishScene: kinds.includes('scenes')
      ? (process, message) =>
          publish(process, {
            kind: 'scenes',
            subjectOf: (username) => sceneSubject(username, process.processId),
            message,
          })
      : undefined,
    publishNotification: kinds.includes('notifications')
      ? (process, type, message) =>
          publish(process, {
            kind: 'notifications',
            subjectOf: (username) => notificationSubject(username, process.processId, type),
            message,
          })
      : undefined,
  }
}

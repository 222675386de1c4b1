/**
 * What waits in the sockets of all readers of one account's streams by TCP, over all protocols. Each of them is bounded
 * by itself, but hundreds together would fill the memory. Readers that have been behind for a while may hold so much together, and
 * all of them, also those that have just started with a group of pictures, a few times that; beyond it the slowest is ended.
 */
export interface WaitingBytes {
  /** `end` is called at most once; after `leave` only while something still waits. */
  join(account: string, end: (why: string) => void): WaitingMember
}

export interface WaitingMember {
  /** So many bytes wait for this reader now, as a `WriteQueue` counts them. */
  note(bytes: number): void
  /** It is sent nothing more; what still waits by then is counted until it is sent. */
  leave(waiting: () => number): void
}

export interface WaitingLimits {
  readonly maxSlowBytes: number
  readonly maxBytes: number
  /** A reader that has taken all that it was sent within this time is not slow. */
  readonly slowAfterMs: number
  /** How often slow readers are looked for: with small messages there are hundreds of thousands of notes a second. */
  readonly lookEveryMs: number
}

const DEFAULT_LIMITS: WaitingLimits = {
  maxSlowBytes: 64 * 2 ** 20,
  maxBytes: 256 * 2 ** 20,
  slowAfterMs: 2_000,
  lookEveryMs: 100,
}

/** How often a reader that has left is checked for having taken the rest. */
const LEFT_EVERY_MS = 500

interface Member {
  bytes: number
  /** Undefined while nothing waits. */
  behindSinceMs: number | undefined
  readonly end: () => void
}

/** The readers of one account's streams. */
interface Group {
  readonly members: Set<Member>
  /** A running sum: with hundreds of readers there is no time to add them up at every write. */
  bytes: number
  lookedAtMs: number
}

/** `now`: milliseconds from any origin, by a monotonic clock. */
export function createWaitingBytes(
  given: Partial<WaitingLimits> = {},
  now: () => number = () => performance.now(),
): WaitingBytes {
  const limits = { ...DEFAULT_LIMITS, ...given }
  const groups = new Map<string, Group>()

  function trim(group: Group, nowMs: number): void {
    const { members } = group
    group.lookedAtMs = nowMs
    for (let chosen = chooseSlowest([...members], nowMs, limits); chosen;) {
      chosen.end()
      chosen = chooseSlowest([...members], nowMs, limits)
    }
  }

  return {
    join(account, end) {
      const group: Group = groups.get(account) ?? { members: new Set(), bytes: 0, lookedAtMs: -Infinity }
      groups.set(account, group)
      const member: Member = {
        bytes: 0,
        behindSinceMs: undefined,
        end() {
          remove()
          end('others-wait-too')
        },
      }
      group.members.add(member)

      function remove(): void {
        if (!group.members.delete(member)) return
        group.bytes -= member.bytes
        if (group.members.size === 0 && groups.get(account) === group) groups.delete(account)
      }

      function note(bytes: number): void {
        if (!group.members.has(member)) return
        const nowMs = now()
        group.bytes += bytes - member.bytes
        member.bytes = bytes
        member.behindSinceMs = bytes === 0 ? undefined : (member.behindSinceMs ?? nowMs)
        const isTimeToLook = group.bytes > limits.maxSlowBytes && nowMs - group.lookedAtMs >= limits.lookEveryMs
        if (isTimeToLook || group.bytes > limits.maxBytes) trim(group, nowMs)
      }

      /** Otherwise a reader that pauses, or leaves a stream and stays connected, would hold as much again at each start. */
      function leave(waiting: () => number): void {
        const bytes = waiting()
        note(bytes)
        if (bytes === 0) remove()
        else if (group.members.has(member)) setTimeout(leave, LEFT_EVERY_MS, waiting).unref()
      }

      return { note, leave }
    },
  }
}

/** Of the slow readers the one that has been behind for longest; where none is slow, the one for which most waits. */
function chooseSlowest(members: readonly Member[], nowMs: number, limits: WaitingLimits): Member | undefined {
  const slow = members.filter(({ behindSinceMs = Infinity }) => nowMs - behindSinceMs >= limits.slowAfterMs)
  if (sumOf(slow) > limits.maxSlowBytes) return slow.reduce((a, b) => (b.behindSinceMs! < a.behindSinceMs! ? b : a))
  return sumOf(members) > limits.maxBytes ? members.reduce((a, b) => (b.bytes > a.bytes ? b : a)) : undefined
}

function sumOf(members: readonly Member[]): number {
  return members.reduce((sum, { bytes }) => sum + bytes, 0)
}

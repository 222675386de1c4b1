/**
 * What waits in the sockets of all who read one account's streams. Each of them is bounded by itself (see `backlog.ts`), but
 * hundreds together would fill the memory. Those who have been behind for a while may hold so much together, and all of
 * them, also those who have just been sent what they begin with, a few times that; beyond it the slowest goes.
 */
export interface WaitingBytes {
  /** `end` is called at most once, and not after `leave`. */
  join(account: string, end: (why: string) => void): WaitingMember
}

export interface WaitingMember {
  /** So many bytes wait for this one now. */
  note(bytes: number, nowMs: number): void
  leave(): void
}

export interface WaitingLimits {
  readonly maxSlowBytes: number
  readonly maxBytes: number
  /** Who has taken all that it was sent within this time is not slow. */
  readonly slowAfterMs: number
}

const DEFAULT_LIMITS: WaitingLimits = {
  maxSlowBytes: 64 * 2 ** 20,
  maxBytes: 256 * 2 ** 20,
  slowAfterMs: 2_000,
}

interface Member {
  bytes: number
  /** Undefined while nothing waits. */
  behindSinceMs: number | undefined
  readonly end: () => void
}

export function createWaitingBytes(given: Partial<WaitingLimits> = {}): WaitingBytes {
  const limits = { ...DEFAULT_LIMITS, ...given }
  const accounts = new Map<string, Set<Member>>()

  function trim(members: ReadonlySet<Member>, nowMs: number): void {
    for (let chosen = chooseSlowest([...members], nowMs, limits); chosen;) {
      chosen.end()
      chosen = chooseSlowest([...members], nowMs, limits)
    }
  }

  return {
    join(account, end) {
      const members = accounts.get(account) ?? new Set<Member>()
      accounts.set(account, members)
      const member: Member = {
        bytes: 0,
        behindSinceMs: undefined,
        end() {
          leave()
          end('others-wait-too')
        },
      }
      members.add(member)

      function leave(): void {
        members.delete(member)
        if (members.size === 0 && accounts.get(account) === members) accounts.delete(account)
      }

      return {
        note(bytes, nowMs) {
          member.bytes = bytes
          member.behindSinceMs = bytes === 0 ? undefined : (member.behindSinceMs ?? nowMs)
          if (bytes > 0 && members.has(member)) trim(members, nowMs)
        },
        leave,
      }
    },
  }
}

/** Of the slow ones who has been behind for longest; where nobody is slow, who has most waiting. */
function chooseSlowest(members: readonly Member[], nowMs: number, limits: WaitingLimits): Member | undefined {
  const total = sumOf(members)
  if (total <= limits.maxSlowBytes) return undefined
  const slow = members.filter(({ behindSinceMs = Infinity }) => nowMs - behindSinceMs >= limits.slowAfterMs)
  if (sumOf(slow) > limits.maxSlowBytes) return slow.reduce((a, b) => (b.behindSinceMs! < a.behindSinceMs! ? b : a))
  return total > limits.maxBytes ? members.reduce((a, b) => (b.bytes > a.bytes ? b : a)) : undefined
}

function sumOf(members: readonly Member[]): number {
  return members.reduce((sum, { bytes }) => sum + bytes, 0)
}

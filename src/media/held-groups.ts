import { totalmem } from 'node:os'

/**
 * What the groups of pictures of all paths hold together: each is bounded by itself, but a key may have many paths. Beyond the limit
 * whoever's paths hold most loses its largest group, and new readers of that path start at the next keyframe.
 */
export interface HeldGroups {
  /** `drop` frees what the group holds. */
  join(owner: string, drop: () => void): HeldGroup
}

export interface HeldGroup {
  /** It holds so many bytes now. */
  note(bytes: number): void
  leave(): void
}

interface Member extends Holding {
  readonly drop: () => void
}

interface Holding {
  readonly owner: string
  bytes: number
}

/** The rest is for those who work with the pictures. */
const SHARE_OF_MEMORY = 1 / 8

export function createHeldGroups(maxBytes = SHARE_OF_MEMORY * memoryBytes()): HeldGroups {
  const members = new Set<Member>()
  /** A running sum: it is looked at for every packet. */
  let heldBytes = 0

  function set(member: Member, bytes: number): void {
    heldBytes += bytes - member.bytes
    member.bytes = bytes
  }

  return {
    join(owner, drop) {
      const member: Member = { owner, bytes: 0, drop }
      members.add(member)
      return {
        note(bytes) {
          set(member, bytes)
          while (heldBytes > maxBytes) {
            const largest = largestOf([...members])
            set(largest, 0)
            largest.drop()
          }
        },
        leave() {
          set(member, 0)
          members.delete(member)
        },
      }
    },
  }
}

/** Of the owner who holds most. */
function largestOf<T extends Holding>(members: readonly T[]): T {
  const bytesOf = new Map<string, number>()
  for (const { owner, bytes } of members) bytesOf.set(owner, (bytesOf.get(owner) ?? 0) + bytes)
  const [[richest]] = [...bytesOf].sort(([, a], [, b]) => b - a) as [[string, number]]
  return members.filter(({ owner }) => owner === richest).reduce((a, b) => (b.bytes > a.bytes ? b : a))
}

/** Of this machine, or what a container may have of it. */
function memoryBytes(): number {
  return Math.min(totalmem(), process.constrainedMemory() || Infinity)
}

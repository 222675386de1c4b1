import { type ConnectionShares, createConnectionShares } from '../core/connection-shares.ts'

/** What a pending connection may send: some requests and a description; a client has nothing else to send before it is accepted. */
export const MAX_BYTES_BEFORE_ACCEPTANCE = 256 * 1024

/**
 * Which connections are kept, counted over all protocols:
 *
 *   pending ──▶ accepted, idle ⇄ streaming
 *
 * The hub has not let pending ones publish or read yet; they have a few seconds, which only a camera that is called for them
 * extends. Accepted ones belong to an account. Where there is no room, the account or address with the most connections loses
 * its oldest one that does not stream, so that none keeps others out. Our own workers are recognized when they are accepted, and
 * count no more from then on; until then they are like all others, so some slots are reserved for pending connections.
 */
export interface ConnectionAdmission {
  /** `end` is called once, with the reason, when it has to close. Undefined when there is no room for it. */
  admit(address: string, end: (why: string) => void): AdmittedConnection | undefined
}

export interface AdmittedConnection {
  /** It may read, and a camera is called for it first: from now on it has the time that this takes. Only the first call counts. */
  extendForCamera(): void
  /** The hub has let it publish or read. It ends when all the others stream already. */
  accept(holder: Holder): void
  /** While it publishes or plays, it is not closed for others. */
  setStreaming(isStreaming: boolean): void
  /** It is closed. */
  leave(): void
}

export interface Holder {
  /** Whose path it may use. */
  readonly account: string
  /** One of our own workers: there is always room for it. */
  readonly isInternal: boolean
}

export interface AdmissionLimits {
  readonly maxConnections: number
  readonly maxPerAddress: number
  /** Beyond both, for pending connections. */
  readonly reserved: number
  /** More than our own workers open at once when the service starts again; they all connect from this machine. */
  readonly maxPendingPerAddress: number
  /** From connecting until it is accepted. */
  readonly setupMs: number
  /** From calling a camera for it until it is accepted; longer than our own workers wait for an answer. */
  readonly cameraMs: number
}

const DEFAULT_LIMITS: AdmissionLimits = {
  maxConnections: 4000,
  maxPerAddress: 700,
  reserved: 64,
  maxPendingPerAddress: 256,
  setupMs: 10_000,
  cameraMs: 30_000,
}

interface Connection {
  isPending: boolean
  isStreaming: boolean
  end(why: string): void
}

/** A number of slots, and the connections that have them. */
interface Room {
  readonly max: number
  readonly shares: ConnectionShares<Connection>
  /** Oldest first. */
  readonly pending: Set<Connection>
}

export function createConnectionAdmission(given: Partial<AdmissionLimits> = {}): ConnectionAdmission {
  const limits = { ...DEFAULT_LIMITS, ...given }
  const { maxConnections, maxPerAddress, reserved, maxPendingPerAddress, setupMs, cameraMs } = limits
  const everywhere = createRoom(maxConnections)
  const addresses = new Map<string, Room>()

  return {
    admit(address, end) {
      const here = addresses.get(address) ?? createRoom(maxPerAddress)
      const rooms = [here, everywhere]
      const [oldestPending] = here.pending
      if (oldestPending && here.pending.size >= maxPendingPerAddress) evict(oldestPending)
      for (const { shares, max } of rooms)
        if (shares.size >= max + reserved && !evict(shares.oldestOfLargest(isIdle))) return undefined

      const connection: Connection = {
        isPending: true,
        isStreaming: false,
        end(why) {
          leave()
          end(why)
        },
      }
      const giveUp = () => connection.end('it took too long to begin')
      let timer = setTimeout(giveUp, setupMs)
      let hasWaited = false
      addresses.set(address, here)
      for (const { shares, pending } of rooms) {
        shares.add(connection, address)
        pending.add(connection)
      }

      function settle(): void {
        clearTimeout(timer)
        connection.isPending = false
        for (const { pending } of rooms) pending.delete(connection)
      }

      function leave(): void {
        settle()
        for (const { shares } of rooms) shares.delete(connection)
        if (here.shares.size === 0 && addresses.get(address) === here) addresses.delete(address)
      }

      return {
        extendForCamera() {
          if (!connection.isPending || hasWaited) return
          hasWaited = true
          clearTimeout(timer)
          timer = setTimeout(giveUp, cameraMs)
        },
        accept({ account, isInternal }) {
          if (isInternal) return leave()
          settle()
          for (const { shares } of rooms) shares.give(connection, account)
          for (const { shares, pending, max } of rooms)
            if (shares.size - pending.size > max) evict(shares.oldestOfLargest(isAcceptedAndIdle))
        },
        setStreaming: (isStreaming) => void (connection.isStreaming = isStreaming),
        leave,
      }
    },
  }
}

function createRoom(max: number): Room {
  return { max, shares: createConnectionShares(), pending: new Set() }
}

const isIdle = ({ isStreaming }: Connection): boolean => !isStreaming
const isAcceptedAndIdle = ({ isPending, isStreaming }: Connection): boolean => !isPending && !isStreaming

function evict(connection: Connection | undefined): boolean {
  connection?.end('it made room for a newer one')
  return connection !== undefined
}

import { type ConnectionShares, createConnectionShares } from '../core/connection-shares.ts'

/**
 * Which connections are kept, counted over all protocols:
 *
 *   pending ──▶ granted, idle ⇄ streaming
 *
 * Pending ones have not been let publish or read yet; they have a few seconds that nothing extends. Granted ones belong to an account.
 * Where there is no room, whoever holds most gives up its oldest one that does not stream, so that nobody keeps others out.
 * Our own workers are known by what they are granted, and count no more from then on; until then they are like anybody, so
 * some places are left for who has yet to say.
 */
export interface ConnectionAdmission {
  /** `end` is called once, with the reason, when it has to go. Undefined when there is no room for it. */
  admit(address: string, end: (why: string) => void): AdmittedConnection | undefined
}

export interface AdmittedConnection {
  /** The hub has let it publish or read. It ends where all that are there stream already. */
  grant(holder: Holder): void
  /** It publishes or plays, and keeps its place. */
  setStreaming(isStreaming: boolean): void
  /** It is closed. */
  leave(): void
}

export interface Holder {
  /** Whose path it may use. */
  readonly account: string
  /** One of our own workers: it always finds room. */
  readonly isInternal: boolean
}

export interface AdmissionLimits {
  readonly maxConnections: number
  readonly maxPerAddress: number
  /** Beyond both, for who is pending. */
  readonly reserved: number
  /** More than our own workers open at once when the service starts again; they all come from this machine. */
  readonly maxPendingPerAddress: number
  /** From connecting until something is granted. */
  readonly setupMs: number
}

const DEFAULT_LIMITS: AdmissionLimits = {
  maxConnections: 4000,
  maxPerAddress: 700,
  reserved: 64,
  maxPendingPerAddress: 256,
  setupMs: 10_000,
}

interface Connection {
  isPending: boolean
  isStreaming: boolean
  end(why: string): void
}

/** A number of places, and who has them. */
interface Room {
  readonly max: number
  readonly shares: ConnectionShares<Connection>
  /** Oldest first. */
  readonly pending: Set<Connection>
}

export function createConnectionAdmission(given: Partial<AdmissionLimits> = {}): ConnectionAdmission {
  const { maxConnections, maxPerAddress, reserved, maxPendingPerAddress, setupMs } = { ...DEFAULT_LIMITS, ...given }
  const everywhere = createRoom(maxConnections)
  const addresses = new Map<string, Room>()

  return {
    admit(address, end) {
      const here = addresses.get(address) ?? createRoom(maxPerAddress)
      const rooms = [here, everywhere]
      const [oldestPending] = here.pending
      if (oldestPending && here.pending.size >= maxPendingPerAddress) makeWay(oldestPending)
      for (const { shares, max } of rooms)
        if (shares.size >= max + reserved && !makeWay(shares.oldestOfLargest(isIdle))) return undefined

      const connection: Connection = {
        isPending: true,
        isStreaming: false,
        end(why) {
          leave()
          end(why)
        },
      }
      const timer = setTimeout(() => connection.end('it took too long to begin'), setupMs)
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
        grant({ account, isInternal }) {
          if (isInternal) return leave()
          settle()
          for (const { shares } of rooms) shares.give(connection, account)
          for (const { shares, pending, max } of rooms)
            if (shares.size - pending.size > max) makeWay(shares.oldestOfLargest(isGrantedAndIdle))
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
const isGrantedAndIdle = ({ isPending, isStreaming }: Connection): boolean => !isPending && !isStreaming

function makeWay(connection: Connection | undefined): boolean {
  connection?.end('it made room for a newer one')
  return connection !== undefined
}

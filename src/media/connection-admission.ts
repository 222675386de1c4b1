/**
 * Which connections are kept, counted over all protocols. Whoever has not yet been let publish or read is pending: it has
 * a few seconds that nothing extends, and where there is no room the oldest pending one goes. Clients that mean it are
 * granted within milliseconds, so that idle connections keep nobody out.
 */
export interface ConnectionAdmission {
  /** `end` is called once, with the reason, when it has to go. Undefined when there is no room for it. */
  admit(address: string, end: (why: string) => void): AdmittedConnection | undefined
}

export interface AdmittedConnection {
  /** The hub has let it publish or read. */
  grant(): void
  /** It is closed. */
  leave(): void
}

export interface AdmissionLimits {
  readonly maxConnections: number
  readonly maxPerAddress: number
  /** More than our own workers open at once when the service starts again; they all come from this machine. */
  readonly maxPendingPerAddress: number
  /** From connecting until something is granted. */
  readonly setupMs: number
}

const DEFAULT_LIMITS: AdmissionLimits = {
  maxConnections: 4000,
  maxPerAddress: 700,
  maxPendingPerAddress: 256,
  setupMs: 10_000,
}

interface Pending {
  end(why: string): void
}

interface AddressUse {
  connections: number
  /** Oldest first. */
  readonly pending: Set<Pending>
}

export function createConnectionAdmission(given: Partial<AdmissionLimits> = {}): ConnectionAdmission {
  const limits = { ...DEFAULT_LIMITS, ...given }
  const addresses = new Map<string, AddressUse>()
  /** Of all addresses, oldest first. */
  const pending = new Set<Pending>()
  let connections = 0

  return {
    admit(address, end) {
      const use = addresses.get(address) ?? { connections: 0, pending: new Set() }
      if (use.pending.size >= limits.maxPendingPerAddress) evictOldest(use.pending)
      if (use.connections >= limits.maxPerAddress && !evictOldest(use.pending)) return undefined
      if (connections >= limits.maxConnections && !evictOldest(pending)) return undefined
      connections++
      use.connections++
      addresses.set(address, use)

      let isThere = true
      const connection: Pending = {
        end(why) {
          leave()
          end(why)
        },
      }
      const timer = setTimeout(() => connection.end('it took too long to begin'), limits.setupMs)
      use.pending.add(connection)
      pending.add(connection)

      function grant(): void {
        clearTimeout(timer)
        use.pending.delete(connection)
        pending.delete(connection)
      }

      function leave(): void {
        if (!isThere) return
        isThere = false
        grant()
        connections--
        if (--use.connections === 0) addresses.delete(address)
      }

      return { grant, leave }
    },
  }
}

function evictOldest(pending: ReadonlySet<Pending>): boolean {
  const [oldest] = pending
  oldest?.end('it made room for a newer one')
  return oldest !== undefined
}

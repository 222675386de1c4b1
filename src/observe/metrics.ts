import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'

/** What Prometheus reads at `/metrics`. Labels hold ids and the aliases of sources, never usernames or addresses: the operator may open it to the network. */
export interface Metrics {
  readonly contentType: string
  text(): Promise<string>
  /** `route` is the pattern (`/keys/:username`), so that the number of series stays bounded. */
  countRequest(request: { method: string; route: string; status: number; seconds: number }): void
  /** A figure that somebody else keeps; it is read whenever Prometheus asks. */
  addGauge(gauge: { name: string; help: string; labels: readonly string[]; read: () => readonly Reading[] }): void
}

export interface Reading {
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

export function createMetrics(): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const requests = new Counter({
    name: 'aerie_http_requests_total',
    help: 'HTTP requests answered.',
    labelNames: ['method', 'route', 'status'],
    registers: [registry],
  })
  const durations = new Histogram({
    name: 'aerie_http_request_duration_seconds',
    help: 'Time from request to answer.',
    labelNames: ['method', 'route'],
    buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10],
    registers: [registry],
  })
  return {
    contentType: registry.contentType,
    text: () => registry.metrics(),
    countRequest({ method, route, status, seconds }) {
      requests.inc({ method, route, status })
      durations.observe({ method, route }, seconds)
    },
    addGauge({ name, help, labels, read }) {
      const gauge: Gauge = new Gauge({
        name,
        help,
        labelNames: [...labels],
        registers: [registry],
        collect() {
          gauge.reset()
          for (const { labels: own, value } of read()) gauge.set({ ...own }, value)
        },
      })
    },
  }
}

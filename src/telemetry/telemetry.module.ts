import { telemetryChannels } from './telemetry.channels.ts'
import { type TelemetryRouteDeps, telemetryRoutes } from './telemetry.routes.ts'

/** What drones say, as clients send and hear it; the service was made before, for the processes. */
export function createTelemetry(deps: TelemetryRouteDeps) {
  return {
    service: deps.telemetry,
    routes: [telemetryRoutes(deps)],
    channels: telemetryChannels,
    close: () => deps.telemetry.close(),
  }
}
